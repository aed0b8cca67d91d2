package org.sluice.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.sluice.bench.across.AcrossNodes;
import org.sluice.bench.contestant.PeerBuild;
import org.sluice.cli.vm.FaultPlan;
import org.sluice.cli.vm.GuestOutput;
import org.sluice.cli.vm.VmRequest;
import org.sluice.cli.vm.VmRun;
import org.sluice.cli.vm.VmTimeout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command in virtual machines that have a software RDMA device. */
@Command(
        name = "vm",
        mixinStandardHelpOptions = true,
        description = "Run a command in a virtual machine with a software RDMA device (SoftRoCE).",
        customSynopsis = "sluice vm [--nodes N] [--processors N] [--fault SPEC] [--timeout S] -- COMMAND%n",
        footer = {
            "",
            "The guest sees this machine's files and runs its programs; what it writes is lost, except in"
                    + " $SLUICE_VM_OUT (.build/vm/out here). It has no network but to the other nodes: node i is at"
                    + " 10.9.0.(1 + i), and each knows its number from SLUICE_VM_NODE and their count from"
                    + " SLUICE_VM_NODES. Standard input is empty.",
            "",
            "SPEC: " + FaultPlan.ALLOWED
                    + ". PERCENT as in 1%%; TIME as in 500ms or 5s, in @TIME since the command began.",
            "",
            "Exit status: the command's (of several nodes the first that is not 0); 1 when the VM failed, 2 when the"
                    + " command line is wrong, 124 after --timeout."
        })
final class VmCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "1",
            description = "Guests, linked with each other; the command runs in each, and lines of output begin with its"
                    + " number. Default: 1.")
    private int nodes;

    @Option(
            names = "--processors",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Processors of each guest. Default: 1 under emulation, where with more a JVM may crash now and"
                            + " then; else the host's.")
    private int processors;

    @Option(
            names = "--fault",
            paramLabel = "SPEC",
            description = "What goes wrong, and when: loss=1%%,delay=1ms,down@5s.")
    private String fault;

    @Option(
            names = "--timeout",
            paramLabel = "S",
            description = "Seconds after which the guests are killed. Default: no limit.")
    private Integer timeoutS;

    @Parameters(paramLabel = "COMMAND", description = "With its arguments.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        VmRequest.checkNodes(nodes);
        FaultPlan faults = fault == null ? FaultPlan.NONE : FaultPlan.parse(fault, nodes);
        VmRequest request = new VmRequest(
                home(), nodes, processors, faults, seconds(), Path.of("").toAbsolutePath(), System.getenv(), command);
        GuestOutput output =
                nodes == 1 ? GuestOutput.plain(System.out, System.err) : GuestOutput.prefixed(System.out, System.err);
        if (Terminal.ERR.isThere()) {
            System.err.println("sluice: booting " + (nodes == 1 ? "a guest" : nodes + " guests"));
        }
        Path programs = PeerBuild.prepare(
                reason -> spec.commandLine().getErr().println("sluice: the guest will lack a program. " + reason));
        try {
            return new VmRun(
                            request.with(PeerBuild.FOLDER_VARIABLE, programs.toString())
                                    .with(AcrossNodes.SECRET, AcrossNodes.newSecret()),
                            output)
                    .run();
        } catch (VmTimeout e) {
            spec.commandLine().getErr().println("sluice: " + e.getMessage());
            return VmRun.TIMED_OUT;
        }
    }

    private int seconds() {
        if (timeoutS != null && timeoutS < 1) {
            throw new IllegalArgumentException(
                    "--timeout " + timeoutS + ": seconds, 1 or more, are allowed; leave it out for no limit");
        }
        return timeoutS == null ? 0 : timeoutS;
    }

    private static Path home() {
        String home = System.getProperty("sluice.home");
        if (home == null) {
            throw new IllegalArgumentException("guests boot with the scripts of a checkout: run ./sluice vm in one");
        }
        return Path.of(home);
    }
}
