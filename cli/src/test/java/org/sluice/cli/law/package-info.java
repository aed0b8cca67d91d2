/**
 * Checks what no compiler does: which room may use which, the limits that keep files readable, and what the C sources
 * never call. Lives in {@code cli}, because that is the module that sees all rooms.
 */
package org.sluice.cli.law;
