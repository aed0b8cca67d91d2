import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import mpi.MPI;

/**
 * Sorts objects: whoever has some keeps those up to a pivot, gives the others to a rank that has none yet, and gets
 * them back sorted. So all ranks have work after a few rounds.
 */
public class Quicksort {
    private static final int COUNT = 1;
    private static final int OBJECTS = 2;

    /** What is sorted: by points, and by name among equals. */
    static final class Student implements Serializable, Comparable<Student> {
        private static final long serialVersionUID = 1;

        final String name;
        final int points;

        Student(String name, int points) {
            this.name = name;
            this.points = points;
        }

        @Override
        public int compareTo(Student other) {
            return points != other.points ? Integer.compare(points, other.points) : name.compareTo(other.name);
        }

        @Override
        public String toString() {
            return name + " " + points;
        }
    }

    public static void main(String[] args) {
        MPI.Init(args);
        int rank = MPI.COMM_WORLD.Rank();
        if (rank == 0) {
            String[] names = {"Ada", "Bela", "Chen", "Dora", "Emil", "Fatma", "Grace", "Hugo", "Ines", "Jan"};
            Student[] students = new Student[2 * names.length];
            for (int i = 0; i < students.length; i++) {
                String name = names[i % names.length] + (i < names.length ? "" : " II");
                students[i] = new Student(name, i * 37 % 53);
            }
            for (Student student : sort(students, 1)) {
                System.out.println(student);
            }
        } else {
            int parent = rank - Integer.highestOneBit(rank);
            Student[] students = receive(parent);
            send(sort(students, 2 * Integer.highestOneBit(rank)), parent);
        }
        MPI.Finalize();
    }

    /** @param distance to the next rank that this one may give objects to */
    private static Student[] sort(Student[] students, int distance) {
        int helper = MPI.COMM_WORLD.Rank() + distance;
        if (helper >= MPI.COMM_WORLD.Size()) {
            quicksort(students, 0, students.length - 1);
            return students;
        }
        List<Student> low = new ArrayList<>();
        List<Student> high = new ArrayList<>();
        for (Student student : students) {
            (student.compareTo(students[students.length / 2]) <= 0 ? low : high).add(student);
        }
        send(high.toArray(new Student[0]), helper);
        List<Student> sorted = new ArrayList<>(List.of(sort(low.toArray(new Student[0]), 2 * distance)));
        sorted.addAll(List.of(receive(helper)));
        return sorted.toArray(new Student[0]);
    }

    private static void quicksort(Student[] students, int from, int to) {
        if (from >= to) {
            return;
        }
        Student pivot = students[(from + to) / 2];
        int low = from;
        int high = to;
        while (low <= high) {
            while (students[low].compareTo(pivot) < 0) {
                low++;
            }
            while (students[high].compareTo(pivot) > 0) {
                high--;
            }
            if (low <= high) {
                Student swapped = students[low];
                students[low++] = students[high];
                students[high--] = swapped;
            }
        }
        quicksort(students, from, high);
        quicksort(students, low, to);
    }

    private static void send(Student[] students, int rank) {
        MPI.COMM_WORLD.Send(new int[] {students.length}, 0, 1, MPI.INT, rank, COUNT);
        MPI.COMM_WORLD.Send(students, 0, students.length, MPI.OBJECT, rank, OBJECTS);
    }

    private static Student[] receive(int rank) {
        int[] count = new int[1];
        MPI.COMM_WORLD.Recv(count, 0, 1, MPI.INT, rank, COUNT);
        Student[] students = new Student[count[0]];
        MPI.COMM_WORLD.Recv(students, 0, students.length, MPI.OBJECT, rank, OBJECTS);
        return students;
    }
}
