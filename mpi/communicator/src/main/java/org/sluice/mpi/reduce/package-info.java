/** The loops of MPI's own reductions, one class for each type of elements. */
package org.sluice.mpi.reduce;
