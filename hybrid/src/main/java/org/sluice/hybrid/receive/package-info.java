/**
 * Brings messages and those who want them together: receives, probes, callers that poll for one message; keeps what
 * nobody wants yet, and lends what is read where it lies. Must not: know packets, or call handlers (it knows them as
 * {@link org.sluice.hybrid.receive.ForHandlers}). Called by: {@code protocol} (packets), the device face (posts,
 * probes). Tests: {@code StoredMessagesTest}; {@code DirectReceiveTest}, {@code TakenMessageTest} and
 * {@code TakingModelTest} beside those of {@code protocol}; the device conformance suite.
 */
package org.sluice.hybrid.receive;
