/**
 * Holds what the documents say to what the repository has. Must not: test behaviour that a room tests itself. Run by:
 * the build.
 */
package org.sluice.cli.docs;
