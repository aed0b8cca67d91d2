/**
 * Measures Sluice and its peers, and is the command line. No other room may need it. Called by {@code ./sluice}; its
 * tests are in {@code bench/src/test}.
 */
package org.sluice.bench;
