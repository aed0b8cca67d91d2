/**
 * What is under way until it ends: receives, choices among them, and how each operation ends, is told and is used
 * again; which peers have failed. Must not: know packets, or how bytes come. Called by: everything that moves messages.
 * Tests: {@code CompletedRequestsTest}, {@code UnheardSendsTest}, the device conformance suite.
 */
package org.sluice.hybrid.operation;
