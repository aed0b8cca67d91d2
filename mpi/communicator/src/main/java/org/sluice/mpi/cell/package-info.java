/** Collectives of ranks that share memory: cells that one rank writes and the others read, without messages. */
package org.sluice.mpi.cell;
