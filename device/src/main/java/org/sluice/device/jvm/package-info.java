/**
 * Where ranks that live in one JVM find each other. Must not: keep a rank alive, or know what it is. Called by:
 * channels, devices, and the launcher of ranks that are threads. Tests: {@code ThreadChannelTest}.
 */
package org.sluice.device.jvm;
