/**
 * What programs pass as buffers, read as (base, address, bytes). Must not: move bytes. Called by: {@code hybrid}'s
 * device and protocols. Tests: {@code UserBufferTest}, {@code ChronicleBuffersTest}, {@code MessageMemoryTest}.
 */
package org.sluice.device.buffer;
