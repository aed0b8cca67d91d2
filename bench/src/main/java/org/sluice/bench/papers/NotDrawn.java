package org.sluice.bench.papers;

/**
 * Figures of the papers that the report doesn't have.
 *
 * @param ids with commas between
 * @param command that measures it elsewhere; empty if there is none
 */
public record NotDrawn(String ids, String why, String command) {}
