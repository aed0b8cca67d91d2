/**
 * The calls of PMIx, over which launchers such as Open MPI's mpirun and Slurm's srun tell a process what job it is of,
 * and processes of a job tell each other where they are.
 *
 * <p>Rooms above take a {@link org.sluice.jni.pmix.PmixCalls}, so that a test can hand them a job of its own;
 * {@link org.sluice.jni.pmix.Pmix#calls()} gives the one of this process. No failure is thrown: a result below zero is
 * a status of PMIx.
 *
 * <p>Must not: know of ranks that are threads, of rounds or of what is exchanged. Called by {@code hybrid} only where
 * the environment names such a launcher. Tests: {@code PmixAvailabilityTest}, and the C harness
 * {@code jni/src/test/c/pmix}.
 */
package org.sluice.jni.pmix;
