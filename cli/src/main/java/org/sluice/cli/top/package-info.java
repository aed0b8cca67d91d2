/**
 * Looks into jobs that run on this machine, for {@code ./sluice top}. Must not: be loaded by a rank, or change what one
 * does. Tests: {@code TopProcessTest}, {@code TopTableTest}.
 */
package org.sluice.cli.top;
