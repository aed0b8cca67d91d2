/**
 * Random numbers that nobody can guess. Must not: serve where many are needed, as each draw asks the kernel. Called by:
 * shm and hybrid, while a device opens. Tests: {@code UnguessableTest}.
 */
package org.sluice.device.random;
