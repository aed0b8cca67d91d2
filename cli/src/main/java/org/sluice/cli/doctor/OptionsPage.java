package org.sluice.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.sluice.device.option.Option;

/**
 * Makes docs/reference/options.md out of the declarations of the options; a test compares the page with what is made
 * here.
 */
public final class OptionsPage {
    private OptionsPage() {}

    /** Called as {@code OptionsPage FILE}: writes the page there. */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("one argument is needed: the file to write, docs/reference/options.md");
        }
        Files.writeString(Path.of(args[0]), text());
    }

    public static String text() {
        StringBuilder page = new StringBuilder("""
            # Options

            This page is generated from the declarations in `org.sluice.device.option.Option` by
            `org.sluice.cli.doctor.OptionsPage`; a test compares the two.

            An option is taken from the map given to `Device.open`, else from the system property (`./sluice run -n
            2 -Dsluice.peek=on -cp ...`), else from the environment (`SLUICE_PEEK=on`: upper case, underscores for
            dots), else it has its default. A value that can't be read stops the rank with what is allowed;
            `./sluice run` looks first and starts none. `Device.open` refuses unknown names in its map. `./sluice
            run` and `./sluice doctor` warn of properties and variables that look like options and are none. In JVMs
            that `./sluice run` didn't start the first `Device.open` does, of rank 0 under mpirun and srun. `doctor`
            also lists all options with their values and where each comes from. Bytes may be written with k, m or g
            (1024).

            "Equal" options must have the same value in all ranks of a job; opening refuses unequal ones.

            | option | unit | default | allowed | equal | meaning |
            | --- | --- | --- | --- | --- | --- |
            """);
        for (Option option : Option.values()) {
            page.append("| `")
                    .append(option.property())
                    .append("` | ")
                    .append(option.unit().name().toLowerCase(Locale.ROOT))
                    .append(" | ")
                    .append(option.defaultValue().isEmpty() ? "none" : "`" + option.defaultValue() + "`")
                    .append(" | ")
                    .append(
                            option.isNumber()
                                    ? option.least() + " to " + option.most()
                                    : String.join(", ", option.words()))
                    .append(" | ")
                    .append(option.mustBeEqual() ? "yes" : "")
                    .append(" | ")
                    .append(option.help())
                    .append(" |\n");
        }
        return page.toString();
    }
}
