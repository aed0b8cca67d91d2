package mpi;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sluice.hybrid.device.CommunicatorJob.Place;

/** Programs in Open MPI's dialect, each at four ranks. */
@Tag("once")
final class OpenMpiTest {
    private static Stream<String> cases(Class<?> program) {
        return Arrays.stream(program.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()))
                .map(method -> method.getName())
                .sorted();
    }

    static Stream<String> messages() {
        return cases(MessageCases.class);
    }

    static Stream<String> collectives() {
        return cases(CollectiveCases.class);
    }

    static Stream<String> started() {
        return cases(StartedCases.class);
    }

    static Stream<String> values() {
        return cases(ValueCases.class);
    }

    @ParameterizedTest
    @MethodSource("started")
    void startedByThreads(String method) {
        OpenMpiJob.run(4, Place.THREADS, StartedCases.class, method);
    }

    @ParameterizedTest
    @MethodSource("values")
    void valuesOfThreads(String method) {
        OpenMpiJob.run(4, Place.THREADS, ValueCases.class, method);
    }

    static Stream<String> rest() {
        return cases(RestCases.class);
    }

    @ParameterizedTest
    @MethodSource("rest")
    void theRestOfThreads(String method) {
        OpenMpiJob.run(4, Place.THREADS, RestCases.class, method);
    }

    static Stream<String> files() {
        return cases(FileCases.class);
    }

    @ParameterizedTest
    @MethodSource("files")
    void fileOfThreads(String method) {
        OpenMpiJob.run(4, Place.THREADS, FileCases.class, method);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messageOfThreads(String method) {
        OpenMpiJob.run(4, Place.THREADS, MessageCases.class, method);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messageThroughSharedMemory(String method) {
        OpenMpiJob.run(4, Place.SHM, MessageCases.class, method);
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void collectiveOfThreads(String method) {
        OpenMpiJob.run(4, Place.THREADS, CollectiveCases.class, method);
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void collectiveThroughSharedMemory(String method) {
        OpenMpiJob.run(4, Place.SHM, CollectiveCases.class, method);
    }
}
