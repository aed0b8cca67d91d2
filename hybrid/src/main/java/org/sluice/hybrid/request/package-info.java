/**
 * Requests: how an operation's end is told and waited for. Must not: know protocols or channels. Called by: the device
 * face (waits), the protocols (completes), progress (parks and wakes). Tests: {@code CompletionTest},
 * {@code CompletionStress}.
 */
package org.sluice.hybrid.request;
