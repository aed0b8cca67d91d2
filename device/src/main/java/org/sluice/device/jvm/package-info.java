/**
 * What is one for all ranks of a JVM: where they find each other, and how many files they may open. Must not: keep a
 * rank alive, or know what it is. Called by: channels, devices, and the launcher. Tests: {@code ThreadChannelTest},
 * {@code FileLimitTest}.
 */
package org.sluice.device.jvm;
