/**
 * Long messages after their match, piece by piece, at both ends: read, streamed or written. Must not: match, or know
 * what waits for a message. Called by: {@code receive} (a match), {@code protocol} (packets, rounds). Tests, beside
 * those of {@code protocol}: {@code PulledPiecesTest}, {@code WrittenPiecesTest}, {@code BrokenOffTransfersTest},
 * {@code OfferedReceivesTest}.
 */
package org.sluice.hybrid.rendezvous;
