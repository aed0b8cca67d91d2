/** {@code ./sluice bench reuse}: what it is worth that memory stays registered, over how often it is used again. */
package org.sluice.bench.reuse;
