package org.sluice.bench.plan;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sluice.device.option.Option;

/**
 * How Sluice itself is to move long messages over verbs, in place of what it would choose; each null where nothing was
 * asked for.
 *
 * @param pool whether message buffers lie in registered memory: on or off
 * @param rendezvous who moves them: read, write or eager
 * @param cache whether the program's memory stays registered after a message: on or off
 */
public record VerbsUse(String pool, String rendezvous, String cache) {
    public static final VerbsUse CHOSEN = new VerbsUse(null, null, null);
    private static final String EAGER = "eager";
    /** As large are slots then, of which there are many. */
    private static final String EAGER_MOST = Integer.toString(64 << 10);

    private static final List<String> SWITCH = List.of("on", "off");
    private static final List<String> WAYS = List.of("read", "write", EAGER);

    /** @throws IllegalArgumentException where one of them isn't allowed */
    public VerbsUse {
        check("--pool", pool, SWITCH);
        check("--rendezvous", rendezvous, WAYS);
        check("--cache", cache, SWITCH);
    }

    private static void check(String option, String given, List<String> allowed) {
        if (given != null && !allowed.contains(given)) {
            throw new IllegalArgumentException(
                    option + " '" + given + "' is not known; allowed is " + String.join(", ", allowed));
        }
    }

    /** Fails, for the user to read, where it means nothing. */
    public void checkRoute(Route route) {
        if (!given().isEmpty() && route != Route.IB) {
            Map.Entry<String, String> first = given().entrySet().iterator().next();
            throw new IllegalArgumentException("--" + first.getKey() + " " + first.getValue()
                    + " is of verbs: name --channel ib, not " + route.label());
        }
    }

    /** For titles: empty, or behind a comma. */
    public String title() {
        StringBuilder title = new StringBuilder();
        given().forEach((name, value) ->
                title.append(", ").append(name).append(' ').append(value));
        return title.toString();
    }

    /** What was asked for, by name. */
    public Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        putIfGiven(given, "pool", pool);
        putIfGiven(given, "rendezvous", rendezvous);
        putIfGiven(given, "cache", cache);
        return given;
    }

    private static void putIfGiven(Map<String, String> given, String name, String value) {
        if (value != null) {
            given.put(name, value);
        }
    }

    /** On is what Sluice has by default, whatever the environment says. */
    private static void putSwitch(Map<String, String> options, Option memory, String given) {
        if (given != null) {
            options.put(memory.environmentVariable(), given.equals("on") ? memory.defaultValue() : "0");
        }
    }

    /** By environment variable. */
    public Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        putSwitch(options, Option.IB_POOL_LIMIT, pool);
        putSwitch(options, Option.IB_CACHE_BYTES, cache);
        if (EAGER.equals(rendezvous)) {
            options.put(Option.EAGER_LIMIT.environmentVariable(), EAGER_MOST);
            options.put(Option.IB_BODY_BYTES.environmentVariable(), EAGER_MOST);
        } else if (rendezvous != null) {
            options.put(Option.IB_RENDEZVOUS.environmentVariable(), rendezvous);
            options.put(Option.EAGER_LIMIT.environmentVariable(), "0");
        }
        return options;
    }
}
