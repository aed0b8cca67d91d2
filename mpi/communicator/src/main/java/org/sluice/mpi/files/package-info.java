/**
 * Files that the ranks of a communicator read and write together (MPI 4.1, chapter 14). It calls communicators and
 * moves no message of its own.
 */
package org.sluice.mpi.files;
