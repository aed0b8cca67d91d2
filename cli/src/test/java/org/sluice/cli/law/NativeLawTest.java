package org.sluice.cli.law;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the C sources never do: call up into Java, start a thread, or allocate for a message. It is enough to look at
 * names: nothing is called there through pointers but the JVM's own functions.
 */
@Tag("once")
final class NativeLawTest {
    /** Copies between Java's arrays and the stack: none of them runs Java code, pins an array or makes an object. */
    private static final Set<String> JNI = Set.of(
            "GetArrayLength",
            "GetByteArrayRegion",
            "GetIntArrayRegion",
            "GetLongArrayRegion",
            "SetByteArrayRegion",
            "SetIntArrayRegion",
            "SetLongArrayRegion");

    /** The one file that asks the JVM where its arrays are, and when it moves them: none of these runs Java code. */
    private static final String ARRAYS = "os/os_arrays.c";

    private static final List<String> OF_ARRAYS = List.of(
            "AddCapabilities",
            "DeleteLocalRef",
            "DisposeEnvironment",
            "ExceptionClear",
            "GetEnv",
            "GetEnvironmentLocalStorage",
            "GetJavaVM",
            "GetPrimitiveArrayCritical",
            "NewByteArray",
            "ReleasePrimitiveArrayCritical",
            "SetEnvironmentLocalStorage",
            "SetEventCallbacks",
            "SetEventNotificationMode");

    /**
     * The names of devices, which are asked for where a device is opened and in messages: more than a stack should
     * hold; and what libpmix hands over to be freed.
     */
    private static final List<String> ALLOCATIONS =
            List.of("pmix/pmix_calls.c free", "verbs/verbs_jni.c calloc", "verbs/verbs_jni.c free");

    /** What posts, polls and asks for events, and the words that look like calls. */
    private static final Set<String> PER_MESSAGE = Set.of(
            "ibv_post_srq_recv",
            "ibv_post_send",
            "ibv_poll_cq",
            "ibv_req_notify_cq",
            "ibv_get_cq_event",
            "ibv_ack_cq_events",
            "begin_post",
            "is_handle",
            "from_number",
            "last_error",
            "sluice_verbs_post_receive",
            "sluice_verbs_post_send",
            "sluice_verbs_poll",
            "sluice_verbs_request_notify",
            "sluice_verbs_drain_completion_events",
            "TO_OBJECT",
            "TO_WORD",
            "if",
            "while");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");
    private static final Pattern THROUGH_POINTER =
            Pattern.compile("\\(\\s*\\*+\\s*\\w+\\s*\\)\\s*(?:->|\\.)\\s*(\\w+)");
    private static final Pattern CALL = Pattern.compile("\\b([A-Za-z_]\\w*)\\s*\\(");
    private static final String ALLOCATES = "malloc calloc realloc reallocarray aligned_alloc memalign posix_memalign "
            + "valloc strdup strndup asprintf vasprintf alloca free";
    private static final Pattern ALLOCATION = Pattern.compile("\\b(" + ALLOCATES.replace(' ', '|') + ")\\b");
    private static final Pattern JAVA = Pattern.compile(
            "\\b(JavaVM|JNI_OnLoad|JNI_GetCreatedJavaVMs|AttachCurrentThread\\w*|pthread_create|thrd_create)\\b");

    private final Path sources = LimitsTest.root().resolve("jni/src/main/c");

    private interface Found {
        void in(String file, String code);
    }

    private void each(Found found) throws IOException {
        try (Stream<Path> all = Files.walk(sources)) {
            List<Path> files = all.filter(file -> file.toString().matches(".*\\.[ch]"))
                    .sorted()
                    .toList();
            assertTrue(files.size() > 10, files.toString());
            for (Path file : files) {
                found.in(
                        sources.relativize(file).toString(),
                        COMMENT.matcher(Files.readString(file)).replaceAll(" "));
            }
        }
    }

    private static List<String> all(Pattern pattern, String code) {
        return pattern.matcher(code).results().map(found -> found.group(1)).toList();
    }

    @Test
    void nothingCallsUpIntoJava() throws IOException {
        Set<String> called = new TreeSet<>();
        Set<String> ofArrays = new TreeSet<>();
        Set<String> others = new TreeSet<>();
        each((file, code) -> {
            (file.equals(ARRAYS) ? ofArrays : called).addAll(all(THROUGH_POINTER, code));
            for (String word : all(JAVA, code)) {
                others.add(file + " " + word);
            }
        });
        assertEquals(new TreeSet<>(JNI), called, "the functions of the JVM that are called");
        assertEquals(new TreeSet<>(OF_ARRAYS), ofArrays, "those that find arrays and count collections");
        assertEquals(Set.of(ARRAYS + " JavaVM"), others);
    }

    @Test
    void onlyTheListOfDevicesIsAllocated() throws IOException {
        Set<String> found = new TreeSet<>();
        each((file, code) -> {
            for (String word : all(ALLOCATION, code)) {
                found.add(file + " " + word);
            }
        });
        assertEquals(new TreeSet<>(ALLOCATIONS), found);
        String code = COMMENT.matcher(Files.readString(sources.resolve("verbs/verbs_jni.c")))
                .replaceAll(" ");
        Matcher shim = Pattern.compile("(?s)\\bdeviceNames\\).*?\\n\\}").matcher(code);
        assertTrue(shim.find(), "no shim deviceNames");
        assertEquals(List.of("calloc", "free"), all(ALLOCATION, shim.group()));
        assertEquals(2, all(ALLOCATION, code).size(), "and nothing else in that file");
    }

    /**
     * The file of all that is called for messages: the library's functions for them, each once, and nothing that could
     * be anything else.
     */
    @Test
    void whatIsCalledForMessagesIsPostingAndPolling() throws IOException {
        String code = COMMENT.matcher(Files.readString(sources.resolve("verbs/verbs_work.c")))
                .replaceAll(" ");
        assertEquals(new TreeSet<>(PER_MESSAGE), new TreeSet<>(all(CALL, code.replaceAll("(?m)^#.*$", ""))));
    }
}
