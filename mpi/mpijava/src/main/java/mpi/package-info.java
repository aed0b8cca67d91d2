/**
 * MPJ Express's dialect (mpiJava 1.2): its names, argument orders and checks, over the communicators of
 * {@code org.sluice.mpi}. It holds no algorithm. Programs that were compiled against MPJ Express call it.
 *
 * <p>Its tests: {@code MpijavaApiTest} for names and types, {@code MpijavaProcessTest} for what they do.
 */
package mpi;
