/** What parallel programs call: groups, communicators, collectives, reductions, layouts. */
package org.sluice.mpi;
