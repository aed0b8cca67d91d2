package org.sluice.cli.vm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The shell script that a guest's first process runs: what is particular to this run, before tools/vm/guest.sh. */
final class GuestScript {
    static final String NODE_VARIABLE = "SLUICE_VM_NODE";
    private static final String NODES_VARIABLE = "SLUICE_VM_NODES";
    private static final String OUT_VARIABLE = "SLUICE_VM_OUT";

    private static final Set<String> PASSED = Set.of(
            "PATH",
            "HOME",
            "JAVA_HOME",
            "USER",
            "LOGNAME",
            "LANG",
            "LANGUAGE",
            "TZ",
            "TERM",
            "JDK_JAVA_OPTIONS",
            "JAVA_TOOL_OPTIONS");
    private static final Set<String> PASSED_PREFIXES = Set.of("LC_", "SLUICE_");
    /** The host's job cannot be reached from a guest. */
    private static final String OF_A_JOB = "SLUICE_JOB_";

    /** Where the tools of a guest are, whatever the caller's PATH leaves out. */
    private static final String SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private GuestScript() {}

    /** The address of a node's RDMA device. */
    static String address(int node) {
        return "10.9.0." + (1 + node);
    }

    /** @param mark what ends each stream of output */
    static String text(VmRequest request, int node, Path out, String mark) {
        StringBuilder text = new StringBuilder();
        assign(text, "checkout", request.home().toString());
        assign(text, "directory", request.directory().toString());
        assign(text, "node", Integer.toString(node));
        assign(text, "nodes", Integer.toString(request.nodes()));
        assign(text, "address", address(node));
        assign(text, "out", out.toString());
        assign(text, "mark", mark);
        text.append("command=(");
        request.command().forEach(word -> text.append(' ').append(quoted(word)));
        text.append(" )\n");
        environment(request, node, out).forEach((name, value) -> assign(text, "export " + name, value));
        function(text, "fault_at_start", request.faults().atStart(node));
        function(text, "faults_later", request.faults().later(node));
        return text.append(". \"$checkout/tools/vm/guest.sh\"\n").toString();
    }

    private static Map<String, String> environment(VmRequest request, int node, Path out) {
        Map<String, String> passed = new TreeMap<>();
        request.environment().forEach((name, value) -> {
            boolean wanted = PASSED.contains(name) || PASSED_PREFIXES.stream().anyMatch(name::startsWith);
            if (wanted && !name.startsWith(OF_A_JOB) && name.matches("[A-Za-z_]\\w*")) {
                passed.put(name, value);
            }
        });
        passed.merge("PATH", SYSTEM_PATH, (given, system) -> given + ":" + system);
        passed.putIfAbsent("HOME", "/root");
        passed.put(NODE_VARIABLE, Integer.toString(node));
        passed.put(NODES_VARIABLE, Integer.toString(request.nodes()));
        passed.put(OUT_VARIABLE, out.toString());
        return passed;
    }

    private static void assign(StringBuilder text, String name, String value) {
        text.append(name).append('=').append(quoted(value)).append('\n');
    }

    private static void function(StringBuilder text, String name, List<String> lines) {
        text.append(name).append("() {\n");
        for (String line : lines) {
            // A wait is no fault; a fault that did not happen must not pass for one that did no harm.
            text.append("    ").append(line);
            if (!line.startsWith("sleep ")) {
                text.append(" || { echo ").append(quoted(line)).append(" >&2; return 1; }");
            }
            text.append('\n');
        }
        text.append("    :\n}\n");
    }

    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
