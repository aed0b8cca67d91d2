package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a spec becomes in the guests, and how a wrong one is refused. */
final class FaultPlanTest {
    private static final String NETEM = "tc qdisc replace dev d0 root netem limit 20000";

    @Test
    void faultsOfPacketsForOneMomentAreOneCommand() {
        FaultPlan plan = FaultPlan.parse("loss=1%,delay=1ms~200us,duplicate=0.5%, reorder=25%", 2);
        List<String> expected = List.of(NETEM + " loss 1% duplicate 0.5% reorder 25% delay 1ms 200us");
        assertEquals(expected, plan.atStart(0));
        assertEquals(expected, plan.atStart(1));
        assertEquals(List.of(), plan.later(0));
    }

    @Test
    void whatWasSaidBeforeHoldsUntilItIsTakenBack() {
        FaultPlan plan = FaultPlan.parse("delay=0ms@1500ms,loss=100%@1s,loss=1%,delay=2s", 2);
        assertEquals(List.of(NETEM + " loss 1% delay 2s"), plan.atStart(0));
        assertEquals(
                List.of("sleep 1.000", NETEM + " loss 100% delay 2s", "sleep 0.500", NETEM + " loss 100%"),
                plan.later(0));
    }

    @Test
    void faultsOfALinkBefallTheNodeThatIsNamed() {
        FaultPlan plan = FaultPlan.parse("down@5s,up=1@7s,unplug=0@7s,off=1@8s", 2);
        assertEquals(List.of(), plan.atStart(0));
        assertEquals(
                List.of("sleep 5.000", "ip link set d0 down", "sleep 2.000", "rdma link delete rxe0"), plan.later(0));
        assertEquals(
                List.of(
                        "sleep 5.000",
                        "ip link set d0 down",
                        "sleep 2.000",
                        "ip link set d0 up",
                        "sleep 1.000",
                        "echo o >/proc/sysrq-trigger"),
                plan.later(1));
        assertTrue(plan.powersOff(1));
        assertFalse(plan.powersOff(0));
    }

    @Test
    void oneGuestCanLoseItsLinkAndItsDevice() {
        FaultPlan plan = FaultPlan.parse("down,unplug@100ms", 1);
        assertEquals(List.of("ip link set d0 down"), plan.atStart(0));
        assertEquals(List.of("sleep 0.100", "rdma link delete rxe0"), plan.later(0));
    }

    @Test
    void noFaultIsNoCommand() {
        assertEquals(List.of(), FaultPlan.NONE.atStart(0));
        assertEquals(List.of(), FaultPlan.NONE.later(0));
        assertFalse(FaultPlan.NONE.powersOff(0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                  | it is no NAME[=VALUE][@MOMENT]",
                "loss=1%,            | it is no NAME[=VALUE][@MOMENT]",
                "loss=1%@1s@2s       | it is no NAME[=VALUE][@MOMENT]",
                "lost=1%             | there is no fault 'lost'",
                "loss                | 0% to 100%",
                "loss=1              | 0% to 100%",
                "loss=-1%            | 0% to 100%",
                "loss=100.1%         | 0% to 100%",
                "delay=5             | as 1ms or 1ms~200us",
                "delay=61s           | at most 60s",
                "delay=1ms~          | as 1ms or 1ms~200us",
                "delay=1ms~1ms~1ms   | a time and perhaps a jitter",
                "down@5              | the time since the command began",
                "down@2000000s       | at most 86400s",
                "down=2              | 0 to 1",
                "off                 | 0 to 1",
                "off=x               | 0 to 1",
                "off=1;reboot        | 0 to 1",
                "reorder=5%          | reorder needs a delay",
                "delay=1ms,reorder=5%,delay=0s@1s | reorder needs a delay"
            })
    void aWrongSpecIsRefusedWithWhatIsAllowed(String spec, String expected) {
        String message = assertThrows(IllegalArgumentException.class, () -> FaultPlan.parse(spec, 2))
                .getMessage();
        assertTrue(message.startsWith("--fault") && message.contains(expected), message);
    }

    @ParameterizedTest
    @CsvSource({"loss=1%", "duplicate=1%", "corrupt=1%", "delay=1ms", "reorder=1%", "off=0"})
    void oneGuestHasNoWayOnWhichPacketsCouldSuffer(String spec) {
        String message = assertThrows(IllegalArgumentException.class, () -> FaultPlan.parse(spec, 1))
                .getMessage();
        assertTrue(message.contains("add --nodes 2"), message);
    }
}
