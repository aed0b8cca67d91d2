package org.sluice.hybrid.process;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.sluice.device.Device;
import org.sluice.device.ErrorCode;
import org.sluice.device.SluiceException;
import org.sluice.device.option.Option;
import org.sluice.mpi.Communicator;
import org.sluice.mpi.Data;
import org.sluice.mpi.Reduction;
import org.sluice.mpi.algorithm.Choice;

/**
 * Program of {@link StepDeathProcessTest}: one collective after the other, in each of which a rank dies at a step; the
 * next one is among those that live.
 */
final class StepDeathRanks {
    /** Until communicators have cells and tiers. */
    private static final int CALLS_BEFORE = 6;

    private static final int LATE_MS = 20;

    private final Device device;
    private final StepCounter counter;
    private final List<Death> deaths;

    private StepDeathRanks(Device device, List<Death> deaths) {
        this.device = device;
        this.counter = new StepCounter(device);
        this.deaths = deaths;
    }

    /** Called with the deaths. */
    public static void main(String[] args) {
        List<Death> deaths = Arrays.stream(args).map(Death::of).toList();
        int first = Integer.getInteger(Option.JOB_RANK.property());
        int ranks = Integer.getInteger(Option.JOB_JVM_RANKS.property());
        for (int rank = first + 1; rank < first + ranks; rank++) {
            int own = rank;
            new Thread(() -> run(own, deaths), "rank-" + rank).start();
        }
        run(first, deaths);
    }

    private static void run(int rank, List<Death> deaths) {
        try (Device device = Device.open(rank)) {
            new StepDeathRanks(device, deaths).run();
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private void run() {
        Communicator living = null;
        for (int i = 0; i < deaths.size(); i++) {
            choose(deaths.get(i));
            living = living == null ? Communicator.world(counter.device()) : shrunk(i - 1, living);
            mourn(words(i), deaths.get(i), living);
        }
        shrunk(deaths.size() - 1, living);
    }

    private String words(int number) {
        return "rank " + device.rank() + ": " + number + " "
                + deaths.get(number).collective();
    }

    private void choose(Death death) {
        for (Option option : Choice.options()) {
            if (Choice.collectives(option).contains(death.collective())) {
                counter.option(option.property(), death.algorithm());
            }
        }
    }

    private void mourn(String words, Death death, Communicator living) {
        Random random = new Random(death.seed());
        int root = random.nextInt(living.size());
        int late = random.nextInt(living.size());
        boolean isNear =
                death.algorithm().equals(Choice.CELLS) || death.algorithm().equals(Choice.TIERS);
        boolean diesWaiting = isNear && random.nextBoolean();
        Communicator of = living;
        if (CheckedCall.isOfNeighbours(death.collective())) {
            of = living.createCartesian(new int[] {living.size()}, new boolean[] {true}, false);
        }
        CheckedCall call = new CheckedCall(death, of, counter.sum(), root);
        for (int i = 0; isNear && i < CALLS_BEFORE; i++) {
            call.run();
        }
        int moments = counter.count(call::run);
        boolean isVictim = device.rank() == death.victim();
        SluiceException failure = Say.failure(words, () -> {
            living.barrier();
            if (isVictim) {
                String whole = words + " of " + living.size();
                if (diesWaiting) {
                    counter.dieWaiting(whole);
                } else {
                    counter.dieAt(random.nextInt(moments + 2) - 1, whole + " with " + moments / 2 + " steps");
                }
            } else if (diesWaiting && living.rank() == late) {
                nap();
            }
            call.run();
            if (isVictim) {
                counter.die("after the call");
            }
            Say.line(words + " is over");
            living.barrier();
        });
        checkSaid(failure, death, living);
        checkSaid(Say.failure("the next", living::barrier), death, living);
        if (of != living) {
            checkSaid(Say.failure("the same again", call::run), death, living);
            of.free();
        }
    }

    private static void nap() {
        try {
            TimeUnit.MILLISECONDS.sleep(LATE_MS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void checkSaid(SluiceException failure, Death death, Communicator living) {
        boolean isNamed = failure.peer() >= 0
                && isDead(living, failure.peer(), death)
                && failure.getMessage().contains("rank " + failure.peer() + " of Communicator[");
        Say.check(failure.code() == ErrorCode.PEER_DEAD && isNamed, death.told() + ": " + failure);
    }

    /** All ranks of the victim's JVM are, and soon the second. */
    private static boolean isDead(Communicator of, int member, Death death) {
        int jvmRanks = Integer.getInteger(Option.JOB_JVM_RANKS.property());
        int rank = of.group().member(member);
        return rank / jvmRanks == death.victim() / jvmRanks || rank == death.second();
    }

    /** @param number of a death of which all have heard */
    private Communicator shrunk(int number, Communicator of) {
        Death death = deaths.get(number);
        long expected = 0;
        for (int member = 0; member < of.size(); member++) {
            expected |= isDead(of, member, death) ? 0 : 1L << member;
        }
        Communicator shrunk = death.second() == Death.NOBODY ? of.shrink() : shrunkBySecond(words(number), of, death);
        Say.check(shrunk.size() == Long.bitCount(expected), shrunk + " of " + Long.toBinaryString(expected));
        long[] sum = {1L << of.rank()};
        shrunk.allReduce(Data.IN_PLACE, sum, Reduction.SUM);
        Say.check(sum[0] == expected, Long.toBinaryString(sum[0]) + " of " + Long.toBinaryString(expected));
        if (of != Communicator.world(counter.device())) {
            of.free();
        }
        return shrunk;
    }

    /** What is made when another dies meanwhile may have it or not, the same at all ranks. */
    private Communicator shrunkBySecond(String words, Communicator of, Death death) {
        boolean isSecond = device.rank() == death.second();
        if (isSecond) {
            // Two rounds with all and what is told in the end have some 10 moments for each rank.
            int moment = new Random(death.seed()).nextInt(10 * of.size()) - 1;
            counter.dieAt(moment, words + " second");
        }
        Communicator shrunk = of.shrink();
        if (isSecond) {
            counter.die("after the call");
        }
        int second = shrunk.group().rankOf(death.second());
        if (second < 0) {
            return shrunk;
        }
        SluiceException failure =
                Say.failure(words + " second", () -> shrunk.allReduce(new long[1], new long[1], Reduction.SUM));
        Say.check(failure.code() == ErrorCode.PEER_DEAD && failure.peer() == second, death.told() + ": " + failure);
        Communicator again = shrunk.shrink();
        shrunk.free();
        return again;
    }
}
