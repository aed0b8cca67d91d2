package org.sluice.launch;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/**
 * Names that look like options and are none have no effect, which nobody notices: said once in each JVM whose launcher
 * is not ours, as that has said it, and of a job by its first rank.
 *
 * <p><i>Thread</i>: any. <i>Proof</i>: {@code TypoWarningTest}.
 */
public final class TypoWarning {
    private static final AtomicBoolean SAID = new AtomicBoolean();

    private TypoWarning() {}

    /** It is said by whoever started this JVM. */
    static void leaveToLauncher() {
        SAID.set(true);
    }

    /**
     * @param rank that opens a device, or fails to
     * @param options of that; a rank that was given its job by hand has an environment of its own
     */
    public static void say(int rank, Options options) {
        boolean isFirst = rank <= 0 || !options.text(Option.JOB_ADDRESS).isEmpty();
        if (isFirst && !SAID.getAndSet(true)) {
            List<String> warnings = Options.typos(
                    System.getProperties().stringPropertyNames(),
                    System.getenv().keySet());
            for (String warning : warnings) {
                System.err.print("sluice: " + warning + System.lineSeparator());
            }
        }
    }
}
