package org.sluice.bench.contestant;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The native MPIs that our C program is raced on, and how each is told what to use. */
enum MpiKind {
    /** pml ob1 with btl self,vader: shared memory without a further library. */
    OPENMPI("openmpi", "mpicc.openmpi", "mpirun.openmpi", "openmpi-bin libopenmpi-dev gcc"),
    /** The same Open MPI over UCX. */
    OPENMPI_UCX("openmpi-ucx", "mpicc.openmpi", "mpirun.openmpi", "openmpi-bin libopenmpi-dev gcc"),
    MPICH("mpich", "mpicc.mpich", "mpiexec.hydra", "mpich libmpich-dev gcc"),
    /** pml ob1 with btl self,tcp. */
    OPENMPI_TCP("openmpi-tcp", "mpicc.openmpi", "mpirun.openmpi", "openmpi-bin libopenmpi-dev gcc"),
    /** UCX, which Debian's MPICH is built with, over its TCP alone. */
    MPICH_TCP("mpich-tcp", "mpicc.mpich", "mpiexec.hydra", "mpich libmpich-dev gcc");

    private final String label;
    private final String compiler;
    private final String launcher;
    private final String packages;

    MpiKind(String label, String compiler, String launcher, String packages) {
        this.label = label;
        this.compiler = compiler;
        this.launcher = launcher;
        this.packages = packages;
    }

    String label() {
        return label;
    }

    /** By its full name: plain mpicc is an alternative that either MPI may own. */
    String compiler() {
        return compiler;
    }

    String launcher() {
        return launcher;
    }

    String packages() {
        return packages;
    }

    boolean installed() {
        return Programs.areOnPath(compiler, launcher, "gcc") && Programs.haveHeader(compiler, "mpi.h");
    }

    boolean isOverTcp() {
        return this == OPENMPI_TCP || this == MPICH_TCP;
    }

    /** Whether it goes by TCP between nodes, and by shared memory on each. */
    boolean isOverNodes() {
        return this == OPENMPI || this == MPICH;
    }

    /** What its ranks, and its launcher, need to find in their environment. */
    Map<String, String> environment(Wire wire) {
        if (this == MPICH_TCP) {
            return Map.of("UCX_TLS", "tcp,self", "UCX_NET_DEVICES", wire.device(), "MPIR_CVAR_NOLOCAL", "1");
        }
        if (this == MPICH && wire.isBetweenNodes()) {
            return Map.of("UCX_TLS", "tcp,self", "UCX_NET_DEVICES", wire.device());
        }
        // Ranks ask the launcher's PMIx, which else is on an interface that not all of them reach.
        return this == OPENMPI_TCP && !wire.isLoopback() && !wire.isBetweenNodes()
                ? Map.of("PMIX_MCA_ptl_tcp_if_include", wire.device(), "PMIX_MCA_ptl_base_if_include", wire.device())
                : Map.of();
    }

    List<String> options(boolean pinned, boolean crowded, Path folder, Wire wire) {
        List<String> options = new ArrayList<>();
        if (this == MPICH || this == MPICH_TCP) {
            options.addAll(List.of("-bind-to", pinned ? "core" : "none"));
            return options;
        }
        options.addAll(List.of("--bind-to", pinned ? "core" : "none"));
        if (crowded) {
            options.add("--oversubscribe");
        }
        if (this == OPENMPI && wire.isBetweenNodes()) {
            options.addAll(tcp("self,vader,tcp", wire));
        } else if (this == OPENMPI) {
            options.addAll(List.of(
                    "--mca",
                    "pml",
                    "ob1",
                    "--mca",
                    "btl",
                    "self,vader",
                    "--mca",
                    "btl_vader_backing_directory",
                    folder.toString()));
        } else if (this == OPENMPI_TCP) {
            options.addAll(tcp("self,tcp", wire));
        } else {
            // Without these Open MPI takes UCX only where it finds certain network adapters.
            options.addAll(
                    List.of("--mca", "pml", "ucx", "--mca", "pml_ucx_tls", "any", "--mca", "pml_ucx_devices", "any"));
        }
        return options;
    }

    private static List<String> tcp(String btl, Wire wire) {
        return List.of("--mca", "pml", "ob1", "--mca", "btl", btl, "--mca", "btl_tcp_if_include", wire.network());
    }

    /**
     * What makes its launcher start as many ranks on each node of the wire.
     *
     * @param shell what it runs in the place of ssh: a file that takes the address of a node, and a command
     * @param crowded whether there are more ranks than cores, of which no node's own launcher knows
     */
    List<String> hosts(Wire wire, int each, Path shell, boolean crowded) {
        String hosts = wire.addresses().stream()
                .map(address -> address.getHostAddress() + ":" + each)
                .collect(Collectors.joining(","));
        if (this == MPICH || this == MPICH_TCP) {
            return List.of(
                    "-launcher", "rsh", "-launcher-exec", shell.toString(), "-iface", wire.device(), "-hosts", hosts);
        }
        List<String> options = new ArrayList<>(List.of(
                "--leave-session-attached",
                "--mca",
                "plm_rsh_agent",
                shell.toString(),
                "--mca",
                "oob_tcp_if_include",
                wire.network(),
                "--host",
                hosts));
        if (crowded) {
            options.addAll(List.of("--mca", "mpi_yield_when_idle", "1"));
        }
        return options;
    }
}
