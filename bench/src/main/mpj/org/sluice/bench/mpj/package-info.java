/** What runs on MPJ Express: goes along as a source, and is compiled where that is installed. */
package org.sluice.bench.mpj;
