/** How a collective is done: each algorithm writes the steps of one rank into a schedule. */
package org.sluice.mpi.algorithm;
