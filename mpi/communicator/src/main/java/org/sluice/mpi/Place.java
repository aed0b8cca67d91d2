package org.sluice.mpi;

/** What ranks may have in common besides their job. */
public enum Place {
    /** They are threads of one JVM. */
    JVM,
    /** They can share memory (MPI_COMM_TYPE_SHARED), whether the channel that does it is on or off. */
    NODE
}
