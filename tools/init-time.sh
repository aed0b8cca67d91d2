#!/usr/bin/env bash
# How long MPI.Init to MPI.Finalize takes: init-time.sh [ROUNDS] [RANKS]. An empty program with both, beside one
# without, in turns, each as a job of ./sluice run. Prints both medians, and their difference, in ms.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
rounds=${1:-21} ranks=${2:-4}
"$root/sluice" --version >/dev/null
. "$root/tools/setup.sh"
dialect=$built_lib/mpi/sluice-mpijava.jar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/Empty.java" <<'JAVA'
public final class Empty {
    public static void main(String[] args) {}
}
JAVA
cat >"$work/Begins.java" <<'JAVA'
public final class Begins {
    public static void main(String[] args) {
        mpi.MPI.Init(args);
        mpi.MPI.Finalize();
    }
}
JAVA
javac -d "$work" -cp "$dialect" "$work/Empty.java" "$work/Begins.java"

# Appends how long a job of the program takes, in us.
job() {
    local begin=${EPOCHREALTIME/./}
    "$root/sluice" run -n "$ranks" -cp "$work" "$1"
    echo $((${EPOCHREALTIME/./} - begin)) >>"$work/$1.us"
}

median() { sort -n "$work/$1.us" | sed -n "$(((rounds + 1) / 2))p"; }

job Empty && job Begins
rm "$work"/*.us
for ((round = 0; round < rounds; round++)); do
    if ((round % 2)); then job Empty && job Begins; else job Begins && job Empty; fi
done
empty=$(median Empty) begins=$(median Begins)
echo "$ranks ranks, $rounds rounds: empty JVMs $((empty / 1000)) ms, with MPI.Init and MPI.Finalize" \
    "$((begins / 1000)) ms: $(((begins - empty) / 1000)) ms more"
