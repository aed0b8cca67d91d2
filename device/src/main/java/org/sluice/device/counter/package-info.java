/**
 * Counters that are readable while the job runs. Must not: decide anything. Called by: every room; read through
 * {@code Device.counters()}. Tests: {@code CountersTest}.
 */
package org.sluice.device.counter;
