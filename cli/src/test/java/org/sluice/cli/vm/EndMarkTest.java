package org.sluice.cli.vm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output ends where the mark is, wherever reads cut it. */
final class EndMarkTest {
    private static final String MARK = "[ab-ab-c]";

    private final List<String> written = new ArrayList<>();
    private int ends;

    private final GuestOutput.Sink sink = new GuestOutput.Sink() {
        @Override
        public void write(byte[] bytes, int offset, int length) {
            written.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
        }

        @Override
        public void end() {
            ends++;
        }
    };

    /** Hands out at most so many bytes a read. */
    private static InputStream slow(String text, int most) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(most, length));
            }
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 100})
    void whatLooksLikeTheMarkIsOutput(int bytesARead) throws IOException {
        String text = "x[ab-ab-[ab-ab[[ab-ab-d]";
        assertEquals(true, new EndMark(MARK).copy(slow(text + MARK + "never seen", bytesARead), sink));
        assertEquals(text, String.join("", written));
        assertEquals(1, ends);
    }

    @Test
    void aStreamMayEndWithoutIt() throws IOException {
        assertEquals(false, new EndMark(MARK).copy(slow("all of it [ab-", 4), sink));
        assertEquals("all of it [ab-", String.join("", written));
        assertEquals(1, ends);
    }

    @Test
    void outputIsHandedOnAtOnce() throws IOException {
        new EndMark(MARK).copy(slow("1234" + MARK, 4), sink);
        assertEquals("1234", written.get(0), "a prompt without line feed is seen");
    }

    @Test
    void muchOutputIsCarriedOn() throws IOException {
        String text = "0123456789[ab".repeat(50_000);
        new EndMark(MARK).copy(slow(text + MARK, Integer.MAX_VALUE), sink);
        assertEquals(text, String.join("", written));
    }

    @Test
    void marksDiffer() {
        assertNotEquals(EndMark.random(), EndMark.random());
    }

    @Test
    void linesOfNodesDoNotMix() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        GuestOutput output = GuestOutput.prefixed(new java.io.PrintStream(out, true), System.err);
        GuestOutput.Sink first = output.sink(0, false);
        GuestOutput.Sink second = output.sink(1, false);
        first.write("be".getBytes(), 0, 2);
        second.write("\nlast".getBytes(), 0, 5);
        first.write("gin\n".getBytes(), 0, 4);
        first.end();
        second.end();
        assertEquals("[1] \n[0] begin\n[1] last\n", out.toString(StandardCharsets.UTF_8));
    }
}
