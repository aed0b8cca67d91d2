/**
 * Jobs of real JVMs and their bad days: opening, deaths at numbered steps, stopped ranks, full folders, scribbled
 * segments, closing. Each test class ends in ProcessTest and has its ranks' program beside it. Must not: look into the
 * device's classes; what a test needs to know comes from the ranks' output, their exit status, and {@code /proc}.
 */
package org.sluice.hybrid.process;
