/** What a collective does step by step, as data, and what carries it out. */
package org.sluice.mpi.schedule;
