/**
 * Raw memory. For: loads, stores and copies with a stated order on mapped memory, direct buffers and arrays. Must not:
 * know what the bytes mean. Called by: the channels, buffers and the protocol of all rooms. Tests: {@code MemoryTest}.
 */
package org.sluice.device.memory;
