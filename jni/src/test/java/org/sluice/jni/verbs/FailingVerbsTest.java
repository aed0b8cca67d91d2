package org.sluice.jni.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sluice.jni.Errno;
import org.sluice.jni.os.Os;
import org.sluice.jni.os.SharedWords;

final class FailingVerbsTest {

    private static final List<String> CANNOT_FAIL = List.of(
            "completionChannelFd", "eventChannelFd", "cmContext", "cmPort", "cmGid", "localPort", "lockedMemoryLimit");

    @Test
    void theNthCallFailsAndNoOther() {
        BuiltVerbs.assume();
        FailingVerbs verbs = FailingVerbs.failing(Verbs.calls(), 2, Errno.EIO);
        assertEquals(-Errno.EINVAL, verbs.listen(0, 1));
        assertEquals(-Errno.EIO, verbs.deviceNames(new byte[9]));
        assertTrue(verbs.deviceNames(new byte[9]) >= 0, "the third call failed too");
        assertEquals(3, verbs.callCount());
    }

    @Test
    void oneMethodCanBeChosen() {
        FailingVerbs verbs = FailingVerbs.failing(Verbs.none(), "poll", 2, Errno.EBADF);
        assertEquals(-Errno.ENOSYS, verbs.listen(0, 1));
        assertEquals(0, verbs.callCount());
        assertEquals(-Errno.ENOSYS, verbs.poll(8, 1, 8));
        assertEquals(-Errno.EBADF, verbs.poll(8, 1, 8));
    }

    @Test
    void everyMethodThatCanFailDoesSo() {
        for (Method method : VerbsCalls.class.getDeclaredMethods()) {
            FailingVerbs counted = FailingVerbs.failing(Verbs.none(), 1, Errno.EDQUOT);
            boolean fails = !CANNOT_FAIL.contains(method.getName());
            assertEquals(
                    fails ? -Errno.EDQUOT : -Errno.ENOSYS,
                    EveryVerbsCall.call(counted, method, 0, true),
                    method.getName());
            assertEquals(fails ? 1 : 0, counted.callCount(), method.getName());
            if (fails) {
                FailingVerbs named = FailingVerbs.failing(Verbs.none(), method.getName(), 1, Errno.EDQUOT);
                assertEquals(-Errno.EDQUOT, EveryVerbsCall.call(named, method, 0, true), method.getName());
            }
        }
    }

    @Test
    void whatGivesBackIsDoneAllTheSame() {
        BuiltVerbs.assume();
        VerbsCalls real = Verbs.calls();
        int bell = real.createBell();
        assertEquals(-Errno.EIO, FailingVerbs.failing(real, 1, Errno.EIO).closeBell(bell));
        assertEquals(-Errno.EBADF, real.closeBell(bell));
    }

    @Test
    void aFailedPostNamesItsFirstRequest() throws Exception {
        BuiltVerbs.assume();
        try (SharedWords words = new SharedWords(Os.calls(), 4096)) {
            long request = words.address() + 64;
            FailingVerbs send = FailingVerbs.failing(Verbs.calls(), "postSend", 1, Errno.ENOMEM);
            assertEquals(-Errno.ENOMEM, send.postSend(8, request, words.address()));
            assertEquals(request, words.buffer().getLong(0));
            FailingVerbs receive = FailingVerbs.failing(Verbs.calls(), "postReceive", 1, Errno.ENOMEM);
            assertEquals(-Errno.ENOMEM, receive.postReceive(8, request + 8, words.address()));
            assertEquals(request + 8, words.buffer().getLong(0));
        }
    }

    @Test
    void refusesWhatCouldNeverFail() {
        VerbsCalls real = Verbs.none();
        assertThrows(IllegalArgumentException.class, () -> FailingVerbs.failing(real, 0, Errno.EIO));
        assertThrows(IllegalArgumentException.class, () -> FailingVerbs.failing(real, 1, -Errno.EIO));
        String message = assertThrows(
                        IllegalArgumentException.class, () -> FailingVerbs.failing(real, "cmPort", 1, Errno.EIO))
                .getMessage();
        assertTrue(message.startsWith("No call named cmPort can fail; these can: [deviceNames"), message);
    }

    @Test
    void onlyCounts() {
        FailingVerbs verbs = FailingVerbs.neverFailing(Verbs.none());
        EveryVerbsCall.withArguments(verbs, 0, true);
        assertEquals(VerbsCalls.class.getDeclaredMethods().length - CANNOT_FAIL.size(), verbs.callCount());
    }
}
