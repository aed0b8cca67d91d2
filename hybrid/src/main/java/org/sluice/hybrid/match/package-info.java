/**
 * Decides which message goes to which receive, by MPI's rules (docs/explanation/matching.md). Must not: complete, copy,
 * send or lock anything. Called by the device under its one lock, so nothing here is atomic. Tests:
 * {@code MatchModelTest} and its neighbours.
 */
package org.sluice.hybrid.match;
