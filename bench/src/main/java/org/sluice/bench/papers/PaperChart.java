package org.sluice.bench.papers;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.sluice.bench.papers.Panel.Look;

/** A panel as a picture, by XChart. */
final class PaperChart {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final int HEIGHT_OF_A_LABEL = 28;
    private static final int TEXT = 18;
    private static final Color PAPER = Color.WHITE;
    private static final Color INK = new Color(20, 20, 20);
    private static final Color GRID = new Color(210, 210, 210);
    private static final Color AXIS = new Color(130, 130, 130);
    /** Told apart by people who see few colours, and on white as on black. */
    private static final Color[] COLOURS = {
        new Color(0x2b7fc4),
        new Color(0xd9622b),
        new Color(0x1f9e73),
        new Color(0xb867a5),
        new Color(0xc28a00),
        new Color(0x6c7a89)
    };

    private static final Pattern LONG_NUMBER = Pattern.compile("-?[0-9]+\\.[0-9]{2,}");

    static {
        // Nothing is shown here, even where somebody has a screen.
        System.setProperty("java.awt.headless", "true");
    }

    private final CategoryChart chart;
    private final int height;

    PaperChart(PanelPoints points) {
        Panel panel = points.panel();
        List<Curve> curves = points.curves();
        height = HEIGHT + HEIGHT_OF_A_LABEL * curves.size();
        chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(height)
                .xAxisTitle(panel.axisLabel())
                .yAxisTitle(panel.unit())
                .build();
        style(chart.getStyler(), panel.look());
        // So that a curve keeps its colour where another is missing.
        chart.getStyler()
                .setSeriesColors(curves.stream()
                        .map(curve -> COLOURS[panel.curves().indexOf(curve) % COLOURS.length])
                        .toArray(Color[]::new));
        if (panel.look() == Look.LOGARITHMIC) {
            decades(points);
        }
        for (Curve curve : curves) {
            List<Double> values = new ArrayList<>();
            for (String place : points.places()) {
                Point point = points.at(curve, place);
                values.add(point == null ? null : point.median());
            }
            chart.addSeries(curve.label(), points.places(), values);
        }
    }

    /** Whole ones, at least one: an axis from a value to itself can't be drawn. */
    private void decades(PanelPoints points) {
        DoubleSummaryStatistics all = points.curves().stream()
                .flatMap(curve -> points.places().stream().map(place -> points.at(curve, place)))
                .filter(Objects::nonNull)
                .mapToDouble(Point::median)
                .filter(value -> value > 0)
                .summaryStatistics();
        if (all.getCount() > 0) {
            double least = Math.floor(Math.log10(all.getMin()));
            chart.getStyler().setYAxisMin(Math.pow(10, least));
            chart.getStyler().setYAxisMax(Math.pow(10, Math.max(least + 1, Math.ceil(Math.log10(all.getMax())))));
        }
    }

    private static void style(CategoryStyler styler, Look look) {
        Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, TEXT);
        styler.setDefaultSeriesRenderStyle(
                look == Look.BARS ? CategorySeriesRenderStyle.Bar : CategorySeriesRenderStyle.Line);
        styler.setOverlapped(look != Look.BARS);
        styler.setYAxisLogarithmic(look == Look.LOGARITHMIC);
        if (look != Look.LOGARITHMIC) {
            styler.setYAxisMin(0.0);
        }
        styler.setYAxisDecimalPattern("#,##0.###");
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendBorderColor(PAPER);
        styler.setLegendFont(plain);
        styler.setAxisTickLabelsFont(plain);
        styler.setAxisTitleFont(plain);
        styler.setChartFontColor(INK);
        styler.setAxisTickLabelsColor(INK);
        styler.setAxisTickMarksColor(AXIS);
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(1));
        styler.setPlotGridVerticalLinesVisible(false);
        styler.setPlotBorderVisible(false);
        styler.setChartBackgroundColor(PAPER);
        styler.setPlotBackgroundColor(PAPER);
        styler.setLegendBackgroundColor(PAPER);
    }

    /** On white, as a file of its own. */
    String svg() throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        chart.paint(graphics, WIDTH, height);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Processors.get("svg")
                .getDocument(graphics.getCommands(), new PageSize(0, 0, WIDTH, height))
                .writeTo(out);
        return LONG_NUMBER
                .matcher(out.toString(StandardCharsets.UTF_8))
                .replaceAll(number -> String.format(Locale.ROOT, "%.1f", Double.parseDouble(number.group()))
                        .replace(".0", ""));
    }

    /**
     * For a page that says itself what ink, grid and paper are.
     *
     * @param svg what {@link #svg} made
     * @param id without which places of one picture would be those of another
     * @param title for those who don't see it
     */
    static String inPage(String svg, String id, String title) {
        String picture = svg.substring(svg.indexOf("<svg"));
        return picture.replaceFirst(
                        "<svg[^>]*>",
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"" + viewBox(picture)
                                + "\" role=\"img\" aria-label=\"" + title + "\">")
                .replaceAll("\\s*\\n\\s*", "\n")
                .replaceAll("id=\"clip", "id=\"" + id + "-clip")
                .replaceAll("url\\(#clip", "url(#" + id + "-clip")
                .replace("rgb(255,255,255)", "none")
                .replace("rgb(20,20,20)", "var(--ink)")
                .replace("rgb(0,0,0)", "var(--ink)")
                .replace("rgb(210,210,210)", "var(--grid)")
                .replace("rgb(130,130,130)", "var(--axis)");
    }

    private static String viewBox(String picture) {
        int from = picture.indexOf("viewBox=\"") + "viewBox=\"".length();
        return picture.substring(from, picture.indexOf('"', from));
    }

    byte[] png() throws IOException {
        return BitmapEncoder.getBitmapBytes(chart, BitmapEncoder.BitmapFormat.PNG);
    }
}
