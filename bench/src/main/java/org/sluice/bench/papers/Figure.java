package org.sluice.bench.papers;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A figure or table of a paper, measured again.
 *
 * @param id the paper's letter and the figure's number, as in A-11; tables as in C-T1
 * @param title what its caption names
 * @param note what is otherwise here
 * @param numbers what the paper's text or tables say
 */
public record Figure(String id, String title, String note, List<Panel> panels, List<Number> numbers) {
    /** Of the paper's own hardware. */
    public record Number(String what, String value) {}

    /** All that it is made of. */
    public Collection<String> runs() {
        Set<String> runs = new LinkedHashSet<>();
        panels.forEach(panel -> panel.curves().forEach(curve -> runs.addAll(curve.runs())));
        return runs;
    }
}
