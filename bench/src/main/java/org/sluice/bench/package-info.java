/**
 * Measures Sluice, and its peers beside it. No room but {@code cli} may need it, which calls it. Its tests are in
 * {@code bench/src/test}, and of whole runs in {@code cli/src/test}.
 */
package org.sluice.bench;
