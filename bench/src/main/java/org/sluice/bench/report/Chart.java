package org.sluice.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sluice.bench.plan.Sizes;

/**
 * Figures over message sizes as an SVG picture, both axes logarithmic: nothing but text, so that no fonts or libraries
 * are needed.
 */
final class Chart {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 80;
    private static final int RIGHT = 150;
    private static final int TOP = 20;
    private static final int BOTTOM = 40;
    private static final int LABEL_STEP = 20;
    /** Told apart by people who see few colours, too. */
    private static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

    private final String unit;
    private final List<Integer> sizes;
    private final Map<String, Map<Integer, Double>> lines;
    private final double lowest;
    private final double highest;

    /** @param lines by name, each a figure by size; a figure that is missing leaves a gap */
    Chart(String unit, List<Integer> sizes, Map<String, Map<Integer, Double>> lines) {
        this.unit = unit;
        this.sizes = sizes.stream().sorted().toList();
        this.lines = lines;
        double[] values = lines.values().stream()
                .flatMap(line -> line.values().stream())
                .mapToDouble(Double::doubleValue)
                .filter(value -> value > 0)
                .sorted()
                .toArray();
        lowest = values.length == 0 ? 1 : Math.pow(10, Math.floor(Math.log10(values[0])));
        highest = values.length == 0
                ? 10
                : Math.max(10 * lowest, Math.pow(10, Math.ceil(Math.log10(values[values.length - 1]))));
    }

    private double x(int index) {
        int room = WIDTH - LEFT - RIGHT;
        return sizes.size() == 1 ? LEFT + room / 2.0 : LEFT + (double) room * index / (sizes.size() - 1);
    }

    private double y(double value) {
        double share = Math.log(value / lowest) / Math.log(highest / lowest);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    String svg() {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">%n",
                WIDTH,
                HEIGHT,
                WIDTH));
        for (double value = lowest; value <= highest * 1.001; value *= 10) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>"
                            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s %s</text>%n",
                    LEFT,
                    WIDTH - RIGHT,
                    y(value),
                    y(value),
                    LEFT - 6,
                    y(value) + 4,
                    plain(value),
                    unit));
        }
        for (int i = 0; i < sizes.size(); i++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    x(i),
                    HEIGHT - BOTTOM + LABEL_STEP,
                    Sizes.format(sizes.get(i))));
        }
        int number = 0;
        for (Map.Entry<String, Map<Integer, Double>> line : lines.entrySet()) {
            append(svg, line.getKey(), line.getValue(), number++);
        }
        return svg.append("</svg>\n").toString();
    }

    private static String plain(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }

    private void append(StringBuilder svg, String name, Map<Integer, Double> figures, int number) {
        String colour = COLOURS[number % COLOURS.length];
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < sizes.size(); i++) {
            Double value = figures.get(sizes.get(i));
            if (value != null && value > 0) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(i), y(value)));
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n",
                        x(i),
                        y(value),
                        colour));
            }
        }
        svg.append(String.format(
                Locale.ROOT,
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n",
                points.toString().trim(),
                colour));
        svg.append(String.format(
                Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n",
                WIDTH - RIGHT + 12,
                TOP + LABEL_STEP * (number + 1),
                colour,
                name));
    }
}
