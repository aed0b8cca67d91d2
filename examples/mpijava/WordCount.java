import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import mpi.MPI;

/** Which words a text has most often: rank 0 deals out its lines, and puts together what the ranks have counted. */
public class WordCount {
    private static final int SHOWN = 6;
    private static final List<String> TEXT = List.of(
            "A ring of ranks hands a token round and round.",
            "Each rank takes the token, adds its own number, and hands it on.",
            "When the token is back at rank 0, the ring has come round once.",
            "",
            "A tree is faster than a ring: after each round twice as many ranks know the number.",
            "So a broadcast to a thousand ranks takes ten rounds, and not a thousand.",
            "The ring wins where the data is large: each rank sends a part of it, all at once.");

    public static void main(String[] args) throws IOException {
        String[] files = MPI.Init(args); // without what MPJ Express has put before them
        int rank = MPI.COMM_WORLD.Rank();
        int ranks = MPI.COMM_WORLD.Size();

        Object[] parts = new Object[ranks];
        if (rank == 0) {
            List<String> lines = files.length == 0 ? TEXT : Files.readAllLines(Path.of(files[0]));
            for (int i = 0; i < ranks; i++) {
                int from = lines.size() * i / ranks;
                int to = lines.size() * (i + 1) / ranks;
                parts[i] = new ArrayList<>(lines.subList(from, to));
            }
        }
        Object[] part = new Object[1];
        MPI.COMM_WORLD.Scatter(parts, 0, 1, MPI.OBJECT, part, 0, 1, MPI.OBJECT, 0);

        Map<String, Integer> mine = new HashMap<>();
        for (Object line : (List<?>) part[0]) {
            for (String word : ((String) line).toLowerCase(Locale.ROOT).split("[^a-z]+")) {
                if (!word.isEmpty()) {
                    mine.merge(word, 1, Integer::sum);
                }
            }
        }
        Object[] counts = new Object[ranks];
        MPI.COMM_WORLD.Gather(new Object[] {mine}, 0, 1, MPI.OBJECT, counts, 0, 1, MPI.OBJECT, 0);

        if (rank == 0) {
            print(counts);
        }
        MPI.Finalize();
    }

    private static void print(Object[] counts) {
        Map<String, Integer> all = new TreeMap<>();
        for (Object count : counts) {
            ((Map<?, ?>) count).forEach((word, times) -> all.merge((String) word, (Integer) times, Integer::sum));
        }
        int words = all.values().stream().mapToInt(Integer::intValue).sum();
        System.out.println(words + " words, " + all.size() + " different ones");
        all.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed()) // equals stay in the words' order
                .limit(SHOWN)
                .forEach(entry -> System.out.println(entry.getValue() + " " + entry.getKey()));
    }
}
