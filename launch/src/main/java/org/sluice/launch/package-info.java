/**
 * Starts jobs and lets ranks find theirs: the launcher, the bootstrap over which ranks exchange facts before any
 * channel exists, and ranks that are threads. Must not: send messages of programs, or know of channels. Called by: the
 * device when it opens, {@code ./sluice run}, the benchmark's harness and tests. Tests: {@code JobServerTest},
 * {@code JobTest}, {@code LauncherProcessTest}.
 */
package org.sluice.launch;
