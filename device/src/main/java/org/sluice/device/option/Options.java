package org.sluice.device.option;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The values of all options for one device, with where each came from. Immutable.
 *
 * <p>Taken, first to last: the map given to open, the system property, the environment variable, the default. A value
 * that can't be read or is out of range is an {@link IllegalArgumentException} that names the option, the value, its
 * origin and what is allowed.
 */
public final class Options {
    /** What ./sluice vm tells its guests. */
    private static final String OF_A_GUEST = "SLUICE_VM_";
    /** Of tools/nodes.sh: which of several runs. */
    private static final String OF_NODES = "SLUICE_NODES";

    /** The script's: whether it may install packages. Whoever sets it has it in each rank as well. */
    private static final String INSTALL = "SLUICE_INSTALL";
    /** Set by the script or by run, for debugging and for tests. */
    private static final Set<String> OTHERS =
            Set.of("sluice.home", "sluice.root", "sluice.debug", "sluice.terminal", "sluice.native.folder");

    private static final String OF_TESTS = "sluice.test.";
    private static final Option[] ALL = Option.values();

    /** By ordinal, as is the next. */
    private final String[] values = new String[ALL.length];

    private final String[] origins = new String[values.length];

    private Options() {}

    public static Options of(Map<String, String> given) {
        Map<String, String> properties = new HashMap<>();
        for (Option option : ALL) {
            String value = System.getProperty(option.property());
            if (value != null) {
                properties.put(option.property(), value);
            }
        }
        return of(given, properties, System.getenv());
    }

    /** For tests and for doctor: properties and environment are given too. */
    public static Options of(
            Map<String, String> given, Map<String, String> properties, Map<String, String> environment) {
        for (String name : given.keySet()) {
            if (Option.ofProperty(name).isEmpty()) {
                throw new IllegalArgumentException(
                        "no option is called " + name + suggestion(name) + "; ./sluice doctor lists all options");
            }
            if (given.get(name) == null) {
                throw new IllegalArgumentException(
                        name + " was given to open as null: leave it out, or give it a value");
            }
        }
        Options options = new Options();
        String[] variables = variables(environment);
        for (Option option : ALL) {
            String name = option.property();
            String variable = variables[option.ordinal()];
            if (given.containsKey(name)) {
                options.take(option, given.get(name), "given to open");
            } else if (properties.containsKey(name)) {
                options.take(option, properties.get(name), "system property");
            } else if (variable != null) {
                options.take(option, environment.get(variable), "environment " + variable);
            } else {
                options.set(option, option.defaultValue(), "default");
            }
        }
        return options;
    }

    /** Those of options that the environment has, by the option's ordinal. */
    private static String[] variables(Map<String, String> environment) {
        String[] variables = new String[ALL.length];
        for (String name : environment.keySet()) {
            Optional<Option> option = Option.ofEnvironmentVariable(name);
            if (option.isPresent()) {
                variables[option.get().ordinal()] = name;
            }
        }
        return variables;
    }

    private void set(Option option, String value, String origin) {
        values[option.ordinal()] = value;
        origins[option.ordinal()] = origin;
    }

    private void take(Option option, String value, String origin) {
        set(option, value.trim(), origin);
        if (option.isNumber()) {
            number(option);
        } else if (option.unit() == Option.Unit.PATH) {
            checkPath(option);
        } else if (option.unit() == Option.Unit.NAMES && !option.words().isEmpty()) {
            checkList(option);
        } else if (option.unit() == Option.Unit.SWITCH && !option.words().contains(value.trim())) {
            throw new IllegalArgumentException(option.property() + " = '" + value + "' (" + origin + "): allowed is "
                    + String.join(", ", option.words()) + " (" + option.help() + ")");
        }
    }

    private void checkList(Option option) {
        String value = text(option);
        if (value.equals(Option.AUTO)) {
            return;
        }
        for (String part : value.split(",", -1)) {
            String[] nameAndBytes = part.trim().split(":", -1);
            boolean isRight = option.words().contains(nameAndBytes[0].trim()) && nameAndBytes.length <= 2;
            try {
                isRight &= nameAndBytes.length < 2 || parseSize(nameAndBytes[1]) >= 0;
            } catch (NumberFormatException e) {
                isRight = false;
            }
            if (!isRight) {
                throw new IllegalArgumentException(option.property() + " = '" + value + "' ("
                        + origins[option.ordinal()] + "): '" + part + "' is not known; allowed is " + Option.AUTO
                        + ", or a list of " + String.join(", ", option.words()) + ", each also with :BYTES ("
                        + option.help() + ")");
            }
        }
    }

    private void checkPath(Option option) {
        String value = text(option);
        String wrong = value.isEmpty() && !option.defaultValue().isEmpty() ? "it is empty" : "";
        try {
            Path.of(value);
        } catch (IllegalArgumentException e) {
            wrong = "this JVM can't make a path of it (" + e.getMessage()
                    + "); characters beyond ASCII need a locale that has them, such as LC_ALL=C.UTF-8";
        }
        if (!wrong.isEmpty()) {
            throw new IllegalArgumentException(option.property() + " = '" + value + "' (" + origins[option.ordinal()]
                    + "): " + wrong + "; allowed is a path"
                    + (option.defaultValue().isEmpty() ? "" : ", such as " + option.defaultValue()) + "; "
                    + option.help());
        }
    }

    public String text(Option option) {
        return values[option.ordinal()];
    }

    public String origin(Option option) {
        return origins[option.ordinal()];
    }

    /** In the option's unit; sizes may carry k, m or g (1024). */
    public long number(Option option) {
        String value = text(option);
        long number;
        try {
            number = parseSize(value);
        } catch (NumberFormatException e) {
            throw refused(option, "it is no number");
        }
        if (number < option.least() || number > option.most()) {
            throw refused(option, "it is out of range");
        }
        return number;
    }

    /** As {@link #number} for values that are used as array lengths and counts. */
    public int count(Option option) {
        return Math.toIntExact(number(option));
    }

    private IllegalArgumentException refused(Option option, String why) {
        return new IllegalArgumentException(option.property() + " = '" + text(option) + "' ("
                + origin(option) + "): " + why + "; allowed is " + option.least() + " to " + option.most()
                + (option.unit() == Option.Unit.COUNT
                        ? ""
                        : " " + option.unit().name().toLowerCase(Locale.ROOT))
                + (option.unit() == Option.Unit.BYTES ? ", also with k, m or g" : "") + "; " + option.help());
    }

    /** Parses 8, 1k, 64K, 16m, 2g. */
    public static long parseSize(String text) {
        String digits = text.trim().toLowerCase(Locale.ROOT);
        long factor = 1;
        if (!digits.isEmpty()) {
            int unit = "kmg".indexOf(digits.charAt(digits.length() - 1));
            if (unit >= 0) {
                factor = 1L << (10 * (unit + 1));
                digits = digits.substring(0, digits.length() - 1);
            }
        }
        try {
            return Math.multiplyExact(Long.parseLong(digits), factor);
        } catch (ArithmeticException e) {
            throw new NumberFormatException(text + " is too large");
        }
    }

    /** One line for each property or variable that looks like an option of Sluice and is none. */
    public static List<String> typos(Iterable<String> properties, Iterable<String> variables) {
        List<String> warnings = new ArrayList<>();
        for (String name : properties) {
            if (name.startsWith(Option.PREFIX)
                    && !OTHERS.contains(name)
                    && !name.startsWith(OF_TESTS)
                    && Option.ofProperty(name).isEmpty()) {
                warnings.add("system property " + name + " is no option of Sluice" + suggestion(name));
            }
        }
        for (String name : variables) {
            if (name.startsWith(Option.VARIABLES)
                    && !name.startsWith(OF_A_GUEST)
                    && !name.equals(OF_NODES)
                    && !name.equals(INSTALL)
                    && Option.ofEnvironmentVariable(name).isEmpty()) {
                warnings.add("environment variable " + name + " is no option of Sluice" + suggestionOfVariable(name));
            }
        }
        return warnings;
    }

    private static String suggestionOfVariable(String name) {
        List<String> known = new ArrayList<>(List.of(INSTALL));
        for (Option option : ALL) {
            known.add(option.environmentVariable());
        }
        return Spelling.suggestion(name, known);
    }

    private static String suggestion(String name) {
        List<String> known = new ArrayList<>();
        for (Option option : ALL) {
            known.add(option.property());
        }
        return Spelling.suggestion(name, known);
    }
}
