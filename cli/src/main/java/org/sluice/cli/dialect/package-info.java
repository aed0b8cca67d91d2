/**
 * Which dialect of MPI a program speaks, found in its class files without running any of it. Called by {@code run} and
 * {@code exec}; it must not load a class of the program. Tests are beside it.
 */
package org.sluice.cli.dialect;
