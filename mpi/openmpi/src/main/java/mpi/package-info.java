/**
 * The names of Open MPI 5.0's Java bindings, for programs that were written for them. Each class stands for one of
 * {@code org.sluice.mpi} and converts arguments, results and errors; none has an algorithm. All that a rank has is in
 * {@link mpi.MPI}, so ranks that share a JVM need a class loader each. Its tests are in {@code mpi/openmpi}.
 */
package mpi;
