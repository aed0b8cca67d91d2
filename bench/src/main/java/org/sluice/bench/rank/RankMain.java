package org.sluice.bench.rank;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.sluice.bench.plan.Api;
import org.sluice.bench.plan.BufferKind;
import org.sluice.device.Device;
import org.sluice.device.option.Option;
import org.sluice.device.option.Options;

/** The main class of every rank that runs in a JVM. */
public final class RankMain {
    private static final List<String> OVER_A_DEVICE =
            List.of("sluice", "crowd", "overlap", "overlap-allreduce", "collective", "answered");

    private RankMain() {}

    public static void main(String[] args) throws Exception {
        RankSetup setup = RankSetup.parse(args);
        if (OVER_A_DEVICE.contains(setup.kind())) {
            serve(Device.open(), setup);
            return;
        }
        List<Steps> all = withoutDevice(setup);
        List<FutureTask<Void>> sessions = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            sessions.add(start(setup.firstRank() + i, all.get(i)));
        }
        for (FutureTask<Void> session : sessions) {
            try {
                session.get();
            } catch (ExecutionException e) {
                e.getCause().printStackTrace();
                System.exit(1);
            }
        }
    }

    private static void serve(Device device, RankSetup setup) throws IOException {
        IdlePeer idle = device.size() > setup.ranks() ? new IdlePeer(device, setup.ranks()) : null;
        if (device.rank() == setup.ranks()) {
            idle.stay();
            return;
        }
        Steps steps = steps(device, setup);
        new RankSession(device.rank()).serve(idle == null ? steps : idle.beside(steps));
    }

    private static Steps steps(Device device, RankSetup setup) {
        boolean hasThreads = Options.of(Map.of()).count(Option.PROGRESS_THREADS) > 0;
        return hasThreads ? new RestingSteps(calls(device, setup)) : calls(device, setup);
    }

    private static Steps calls(Device device, RankSetup setup) {
        if (setup.kind().equals("collective")) {
            return new CollectiveSteps(device, setup.buffer());
        }
        if (setup.kind().equals("answered")) {
            return setup.api() == Api.HANDLER
                    ? new AnsweredHandlers(device, setup.buffer())
                    : new AnsweredRequests(device, setup.buffer());
        }
        if (setup.kind().equals("overlap")) {
            return new OverlapSteps(device, setup.buffer());
        }
        if (setup.kind().equals("overlap-allreduce")) {
            return new AllReduceOverlapSteps(device, setup.buffer());
        }
        switch (setup.api()) {
            case COROUTINE:
                return new SuspendedSteps(
                        device,
                        setup.buffer(),
                        setup.crowd() == 0 ? null : new SuspendedCrowd(device, 1 - device.rank(), setup.crowd()));
            case HANDLER:
                return new HandlerSteps(device, setup.buffer());
            default:
                return new StepRunner(exchange(device, setup), device.rank(), setup.ranks());
        }
    }

    private static Exchange exchange(Device device, RankSetup setup) {
        Exchange exchange = exchangeBy(setup.api(), device, setup.buffer());
        return setup.kind().equals("crowd") ? new CrowdExchange(device, exchange, setup.crowd()) : exchange;
    }

    private static Exchange exchangeBy(Api api, Device device, BufferKind kind) {
        switch (api) {
            case BLOCKING:
                return kind == BufferKind.PACKED ? new PackingExchange(device) : new DeviceExchange(device, kind);
            case ROUTE:
                return new RouteExchange(device, kind);
            case COMMUNICATOR:
                return new CommunicatorExchange(device, kind);
            default:
                return new RequestExchange(device, kind);
        }
    }

    /** For ranks of somebody else's, which bring their own calls along. */
    public static void serve(int rank, Steps steps) throws IOException {
        new RankSession(rank).serve(steps);
    }

    /** As {@link #serve(int, Steps)}, for messages. */
    public static void serve(Exchange exchange, int rank, int ranks) throws IOException {
        serve(rank, new StepRunner(exchange, rank, ranks));
    }

    private static FutureTask<Void> start(int rank, Steps steps) {
        Callable<Void> serve = () -> {
            serve(rank, steps);
            return null;
        };
        FutureTask<Void> session = new FutureTask<>(serve);
        new Thread(session, "rank-" + rank).start();
        return session;
    }

    /** Of the ranks of this process. */
    private static List<Steps> withoutDevice(RankSetup setup) throws IOException {
        if (setup.kind().equals("barrier")) {
            return BarrierSteps.ofAll(setup.ranks(), Runtime.getRuntime().availableProcessors());
        }
        List<Steps> all = new ArrayList<>();
        for (Exchange exchange : exchanges(setup)) {
            all.add(new StepRunner(exchange, setup.firstRank() + all.size(), setup.ranks()));
        }
        return all;
    }

    private static List<Exchange> exchanges(RankSetup setup) throws IOException {
        switch (setup.kind()) {
            case "spsc":
                return List.copyOf(SpscExchange.pair(setup.buffer()));
            case "mailbox":
                return List.of(new MailboxExchange(
                        Path.of(setup.path()), Math.toIntExact(setup.largest()), setup.buffer(), setup.firstRank()));
            case "bare":
                return List.of(new BareExchange(Path.of(setup.path()), setup.firstRank()));
            case "memcpy":
                return List.of(new MemcpyExchange(setup.buffer(), setup.firstRank()));
            case "serialization":
                return List.of(new SerializationExchange(0), new SerializationExchange(1));
            case "aeron":
                return List.of(
                        AeronExchange.ipc(Path.of(setup.path()), setup.largest(), setup.firstRank(), setup.buffer()));
            case "jucx":
                return List.of(new JucxExchange(Path.of(setup.path()), setup.firstRank()));
            case "aeron-udp":
                return List.of(AeronExchange.udp(setup.path(), setup.largest(), setup.firstRank(), setup.buffer()));
            default:
                throw new IllegalArgumentException("kind=" + setup.kind() + " is no exchange");
        }
    }
}
