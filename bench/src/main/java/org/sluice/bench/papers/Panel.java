package org.sluice.bench.papers;

import java.util.List;

/**
 * One chart and its table.
 *
 * @param id of its files
 * @param axis the field of a record that tells points of a curve apart
 */
record Panel(String id, String title, String axis, Look look, List<Curve> curves) {
    /** How it is drawn. */
    enum Look {
        LOGARITHMIC,
        LINEAR,
        BARS
    }

    String unit() {
        return curves.get(0).quantity().unit();
    }

    /** For the axis. */
    String axisLabel() {
        return switch (axis) {
            case "size" -> "bytes of a message";
            case "n" -> "queens";
            case "k" -> "neighbours on either side";
            case RunRecord.USES -> "messages each way out of a buffer";
            case RunRecord.WINDOW -> "send work requests of a connection";
            case RunRecord.KERNEL -> "kernel and class";
            default -> axis;
        };
    }
}
