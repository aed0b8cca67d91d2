package org.sluice.bench.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Which calls are measured. */
public enum Api {
    /** send and recv. */
    BLOCKING("Sluice itself with send and recv"),
    /** send and recv of a communicator. */
    COMMUNICATOR("Sluice itself with send and recv of a communicator"),
    /** send on persistent routes, and recv. */
    ROUTE("Sluice itself with send on persistent routes, and recv"),
    /** isend and irecv with a wait. */
    REQUEST("Sluice itself with isend, irecv and wait"),
    /** Sends and receives that suspend; the coroutine goes on undispatched. */
    COROUTINE("Sluice itself with calls that suspend, on a progress thread"),
    /** Messages that call a handler, which answers. */
    HANDLER("Sluice itself with messages that call a handler"),
    /** Send and Recv as MPJ Express has them. */
    MPIJAVA("Sluice itself with Send and Recv of MPJ Express's dialect"),
    /** send and recv as Open MPI's Java bindings have them. */
    OPENMPI("Sluice itself with send and recv of Open MPI's dialect");

    private final String meaning;

    Api(String meaning) {
        this.meaning = meaning;
    }

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of a contestant that uses these calls. */
    public String meaning() {
        return meaning;
    }

    /** Whether they are those of a dialect of MPI, whose programs open the device by themselves. */
    public boolean isDialect() {
        return this == MPIJAVA || this == OPENMPI;
    }

    /** Why messages don't lie in these buffers, or ranks aren't there, as the rest of a sentence. */
    public Optional<String> refuses(BufferKind buffer, Route route) {
        if (isDialect() && route == Route.ALL) {
            return Optional.of("has no third rank that is idle: name --channel shm");
        }
        if (this != BLOCKING && (buffer == BufferKind.PACKED || buffer == BufferKind.ONE)) {
            return Optional.of("is not measured with --buffer " + buffer.label() + ": name --api blocking");
        }
        if (this == MPIJAVA && buffer != BufferKind.ARRAY) {
            return Optional.of("takes arrays alone: name --buffer array");
        }
        return this == OPENMPI && buffer != BufferKind.ARRAY && buffer != BufferKind.DIRECT
                ? Optional.of("takes arrays and direct buffers: name --buffer array or --buffer direct")
                : Optional.empty();
    }

    /** Why the benchmark isn't run with these calls, as the rest of a sentence. */
    public Optional<String> refuses(Benchmark benchmark) {
        boolean sendsOnly = this == COMMUNICATOR || this == ROUTE || this == COROUTINE || this == HANDLER;
        if (benchmark.isCollective() && sendsOnly || benchmark == Benchmark.OBJECTS && this != MPIJAVA) {
            return Optional.of("has no " + benchmark.label());
        }
        boolean allSendAtOnce = benchmark == Benchmark.BIBANDWIDTH || benchmark == Benchmark.NEIGHBOR;
        if ((this == BLOCKING || this == COMMUNICATOR || this == ROUTE || isDialect()) && allSendAtOnce) {
            return Optional.of("may end in a deadlock in " + benchmark.label() + ", where everybody sends at once");
        }
        if (this == HANDLER && allSendAtOnce) {
            return Optional.of("has no " + benchmark.label());
        }
        if (this != REQUEST && benchmark.isShare()) {
            return Optional.of("has no " + benchmark.label() + ", where "
                    + (benchmark == Benchmark.OVERLAP ? "a receive" : "an allreduce")
                    + " goes on while its rank computes");
        }
        if (benchmark.isAnswered() && this != REQUEST && this != HANDLER) {
            return Optional.of("has no " + benchmark.label() + ", where a rank waits for whatever comes first");
        }
        if ((this == HANDLER || this == COMMUNICATOR || this == ROUTE || isDialect()) && benchmark.crowded()
                || this == COROUTINE && benchmark.crowded() && benchmark != Benchmark.CROWD_POSTED) {
            return Optional.of("has no " + benchmark.label() + ", which is about what receives match");
        }
        return Optional.empty();
    }

    /** Those that run the benchmark, as they are asked for. */
    public static String allowed(Benchmark benchmark) {
        return Arrays.stream(values())
                .filter(api -> api.refuses(benchmark).isEmpty())
                .map(api -> "--api " + api.label())
                .collect(Collectors.joining(", "));
    }

    public static String labels() {
        return Arrays.stream(values()).map(Api::label).collect(Collectors.joining(", "));
    }

    public static Api of(String label) {
        for (Api api : values()) {
            if (api.label().equals(label)) {
                return api;
            }
        }
        throw new IllegalArgumentException("--api '" + label + "' is not known; there are " + labels());
    }
}
