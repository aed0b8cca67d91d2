package org.sluice.bench.rank;

import java.util.HashMap;
import java.util.Map;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BufferKind;

/**
 * What a rank's process is told on its command line, as name=value.
 *
 * @param kind which exchange: {@code sluice}, {@code crowd}, {@code overlap}, {@code overlap-allreduce},
 *     {@code collective}, {@code answered}, {@code mailbox}, {@code spsc}, {@code memcpy}, {@code aeron},
 *     {@code aeron-udp}, {@code jucx}, {@code barrier}, {@code serialization}, {@code objects}
 * @param firstRank of those that run in this JVM; {@code sluice} learns its rank from the device instead
 * @param ranksHere ranks that this process starts as threads
 * @param path file or folder that the ranks share; empty where there is none
 * @param largest bytes of payload that are in flight at most
 * @param crowd receives or messages that wait beside the timed ones
 */
public record RankSetup(
        String kind,
        Api api,
        BufferKind buffer,
        int ranks,
        int firstRank,
        int ranksHere,
        String path,
        long largest,
        int crowd) {

    public String[] arguments() {
        return new String[] {
            "kind=" + kind,
            "api=" + api.label(),
            "buffer=" + buffer.label(),
            "ranks=" + ranks,
            "firstRank=" + firstRank,
            "ranksHere=" + ranksHere,
            "path=" + path,
            "largest=" + largest,
            "crowd=" + crowd
        };
    }

    public static RankSetup parse(String[] arguments) {
        Map<String, String> values = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "'" + argument + "' is not name=value; ranks are started by ./sluice bench");
            }
            values.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return new RankSetup(
                value(values, "kind"),
                Api.of(value(values, "api")),
                BufferKind.of(value(values, "buffer")),
                Integer.parseInt(value(values, "ranks")),
                Integer.parseInt(value(values, "firstRank")),
                Integer.parseInt(value(values, "ranksHere")),
                value(values, "path"),
                Long.parseLong(value(values, "largest")),
                Integer.parseInt(value(values, "crowd")));
    }

    /** Of the file that two mailbox ranks map. */
    public static long mailboxBytes(long largest) {
        return MailboxExchange.fileBytes(largest);
    }

    /** Of the file that two ranks map that read each other's arrays. */
    public static long bareBytes() {
        return BareExchange.FILE_BYTES;
    }

    private static String value(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + "=... is missing; ranks are started by ./sluice bench");
        }
        return value;
    }
}
