/**
 * Checks what no compiler does: which room may use which, and the limits that keep files readable.
 * Lives in {@code bench}, because that is the module that sees all rooms.
 */
package org.sluice.bench.law;
