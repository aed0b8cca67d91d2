/**
 * The command line behind {@code ./sluice}. Holds no measurement of its own. Called by the launcher script; its tests
 * are in {@code cli/src/test}.
 */
package org.sluice.cli;
