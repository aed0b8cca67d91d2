/**
 * Kernels of the NAS Parallel Benchmarks, written from their specification (technical report RNR-94-007 and NPB's
 * reports), and a tree code, over blocking calls of a communicator and arrays. Must not know of races. Called by
 * {@code cli}; tests: {@code KernelsProcessTest}, {@code KernelBenchTest}, {@code OctreeTest}, {@code NasRandomTest}.
 */
package org.sluice.bench.kernels;
