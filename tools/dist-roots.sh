#!/usr/bin/env bash
# What ./sluice dist makes runs where there is no compiler, no Maven and no network: it is built, unpacked into bare
# Debian systems that have a Java runtime alone, and run there. Needs root; ends with the line of counts that
# tools/test.sh reads: dist-roots.sh [DIST], which is built if none is given. The systems are kept in .build/roots.
# dist-roots.sh --twice only builds it in two places, and compares; dist-roots.sh --rest runs it where the C library is
# the oldest, and in images of containers.
set -euo pipefail
self=$(readlink -f "${BASH_SOURCE[0]}")
root=$(cd "$(dirname "$self")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/machines.sh"
roots=$root/.build/roots
work=$root/.build/dist-roots
made=$work/dist
address=https://sluice.example/owner/sluice
limit_s=120
passed=0
failed=0

say() {
    printf 'dist-roots: %s\n' "$*" >&2
}

die() {
    say "error: $*"
    exit 1
}

# Folder, release of Debian, packages.
systems=(
    "runtime bookworm openjdk-17-jre-headless"
    "newest trixie openjdk-25-jre-headless"
)
# With --rest: the oldest C library that is looked after, and images.
oldest="oldest bullseye openjdk-17-jre-headless"
rest=false

main() {
    [ "$(id -u)" -eq 0 ] || die "debootstrap and chroot need root: try sudo $self"
    ensure_build_tools
    rm -rf "$work"
    mkdir -p "$work"
    find_repository
    # Nobody is to get this build from there for the version that is handed out.
    # shellcheck disable=SC2046 # several
    trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf --one-file-system "$work" && forget_artefacts' EXIT
    # Below in a copy: tests may be running from what this checkout has built.
    if [ "${1:-}" = --twice ]; then
        build_copy "$work/another/place" "$work/again" &
        build_copy "$work/checkout" "$made"
        wait $! || die "./sluice dist failed in $work/another/place"
        the_same_bytes
        printf '%d passed, %d failed\n' "$passed" "$failed"
        [ "$failed" -eq 0 ]
        return
    fi
    if [ "${1:-}" = --rest ]; then
        rest=true
        systems=("$oldest")
        shift
    fi
    # Beside what is built below: both wait for the disk and for archives.
    make_machines &
    local making=$! each folder
    if [ -n "${1:-}" ]; then
        cp -r "$1" "$made"
    else
        build_copy "$work/checkout" "$made"
        the_address
    fi
    version=$(sed -n 's|^    <version>\(.*\)</version>|\1|p' "$root/pom.xml")
    make_programs
    wait "$making" || die "a machine could not be made."
    # Beside what runs in the machines, too.
    local imaging=
    if "$rest"; then
        "$root/tools/dist-images.sh" "$made" >"$work/counts-of-images" &
        imaging=$!
    fi
    for each in "${systems[@]}"; do
        folder=$roots/${each%% *}
        hand_out "$folder"
        unshare --mount --pid --fork --kill-child --propagation private --net \
            bash "$self" --inside "${each%% *}" "$folder" >"$work/counts" || true
        cat "$work/counts"
        passed=$((passed + $(sed -n 's/^\([0-9]*\) passed here, .*/\1/p' "$work/counts" | tail -n 1)))
        failed=$((failed + $(sed -n 's/.* passed here, \([0-9]*\) failed$/\1/p' "$work/counts" | tail -n 1)))
        take_back "$folder"
    done
    [ -z "$imaging" ] || count_images "$imaging"
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}

# count_images PID
count_images() {
    wait "$1" || [ -s "$work/counts-of-images" ] || failed=$((failed + 1))
    cat "$work/counts-of-images"
    passed=$((passed + $(sed -n 's/^\([0-9]*\) passed, .*/\1/p' "$work/counts-of-images" | grep . || echo 0)))
    failed=$((failed + $(sed -n 's/.* passed, \([0-9]*\) failed$/\1/p' "$work/counts-of-images" | grep . || echo 0)))
}

forget_artefacts() {
    rm -rf --one-file-system "$repository"/org/sluice/{sluice,sluice-{coroutines,mpijava,openmpi,bom}}
}

make_machines() {
    local each folder
    # What main removes at its end is not ours.
    trap - EXIT
    for each in "${systems[@]}"; do
        # shellcheck disable=SC2086 # words
        set -- $each
        folder=$roots/$1
        [ -e "$folder$home/.fresh-machine" ] || rm -rf --one-file-system "$folder"
        # shellcheck disable=SC2034 # machines.sh reads it
        suite=$2
        make_machine "$folder" "${@:3}"
    done
}

# build_copy CHECKOUT OUTPUT
build_copy() {
    mkdir -p "$1"
    (cd "$root" && git ls-files -z | xargs -0 cp -a --parents -t "$1")
    "$1/tools/dist.sh" --arch x86_64 --url "$address" "$2" || die "./sluice dist failed in $1"
}

# Two checkouts, in folders of different length, make the same files.
the_same_bytes() {
    if diff -r "$made" "$work/again" >"$root/.build/dist-twice.diff"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        say "FAILED: ./sluice dist made other bytes when it ran again:"
        head -n 20 "$root/.build/dist-twice.diff" >&2
    fi
    rm -rf "$work/again" "$work/another"
}

# It is in all that says where something comes from.
the_address() {
    local each
    dpkg-deb --field "$made"/sluice_*_all.deb Homepage >"$work/homepage"
    for each in "$made"/maven/org/sluice/*/*/*.pom "$made"/sluice-*.cdx.json "$work/homepage"; do
        if grep -qF "$address" "$each"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            say "FAILED: no $address in $each"
        fi
    done
}

# --- programs, as their authors would make them -----------------------------------------------------------------------

make_programs() {
    local lib=$work/sluice-$version/lib programs=$work/programs
    tar -C "$work" -xzf "$made/sluice-$version.tar.gz"
    mkdir -p "$programs/classes" "$programs/modules"
    "$jdk/bin/javac" -cp "$lib/sluice.jar" -d "$programs/classes" "$root/examples/Hello.java"
    local built=$root
    [ ! -d "$work/checkout" ] || built=$work/checkout
    cp -r "$built/bench/target/test-classes/example" "$programs/classes/"
    make_fat_jar "$lib" "$programs"
    make_module "$lib" "$programs"
    make_mpi "$lib" "$programs"
    by_build_tools "$programs"
}

# make_fat_jar LIB PROGRAMS: all classes in one jar, as the shade and shadow plugins make it.
make_fat_jar() {
    local unpacked=$work/fat each
    mkdir -p "$unpacked"
    for each in "$1"/sluice.jar "$1"/jctools-core-*.jar; do
        (cd "$unpacked" && "$jdk/bin/jar" --extract --file "$each")
    done
    rm -f "$unpacked/module-info.class"
    cp "$2/classes"/Hello*.class "$unpacked/"
    "$jdk/bin/jar" --create --file "$2/fat.jar" --main-class Hello -C "$unpacked" .
}

make_module() {
    local sources=$work/module
    mkdir -p "$sources"
    cat >"$sources/module-info.java" <<'JAVA'
module hello {
    requires org.sluice;
    requires org.sluice.coroutines;
}
JAVA
    mkdir -p "$sources/hello"
    cat >"$sources/hello/Main.java" <<'JAVA'
package hello;

import org.sluice.device.Device;

public final class Main {
    public static void main(String[] args) {
        try (Device device = Device.open()) {
            int[] data = new int[1];
            var request = device.irecv(data, 0, 1);
            device.send(new int[] {41}, 0, 1);
            request.waitFor();
            System.out.println(Device.class.getModule().getName() + " took " + data[0]);
        }
    }
}
JAVA
    "$jdk/bin/javac" -d "$2/modules" --module-path "$1" "$sources/module-info.java" "$sources/hello/Main.java"
}

# make_mpi LIB PROGRAMS: one program in each dialect.
make_mpi() {
    local sources=$work/mpi
    mkdir -p "$sources/mpijava" "$sources/openmpi"
    cat >"$sources/mpijava/Main.java" <<'JAVA'
import mpi.MPI;

public final class Main {
    public static void main(String[] args) {
        String[] own = MPI.Init(args);
        System.out.println("rank " + MPI.COMM_WORLD.Rank() + " was given " + args.length + " words, its own " + own[0]);
        MPI.Finalize();
    }
}
JAVA
    cat >"$sources/openmpi/Main.java" <<'JAVA'
import mpi.MPI;
import mpi.MPIException;

public final class Main {
    public static void main(String[] args) throws MPIException {
        MPI.Init(args);
        int[] sum = {MPI.COMM_WORLD.getRank()};
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.INT, MPI.SUM);
        System.out.println("sum " + sum[0] + " of " + args[0]);
        MPI.Finalize();
    }
}
JAVA
    "$jdk/bin/javac" -cp "$1/mpj.jar" -d "$2/mpijava" "$sources/mpijava/Main.java"
    "$jdk/bin/javac" -cp "$1/mpi/sluice-openmpi.jar" -d "$2/openmpi" "$sources/openmpi/Main.java"
}

# by_build_tools PROGRAMS: from the repository, as a project of a user's.
by_build_tools() {
    local log=$state/dist-roots-builds.log project=$work/project
    cp -r "$root/examples" "$project"
    # Of an earlier version of the same number.
    forget_artefacts
    if JAVA_HOME=$jdk mvn -B -q "-Dmaven.repo.local=$repository" "-Drepository=file://$made/maven" \
        -f "$project/pom.xml" package >"$log" 2>&1; then
        cp "$project/target/hello-1.jar" "$1/by-maven.jar"
    else
        say "Maven could not build examples/pom.xml: $log"
        tail -n 20 "$log" >&2
    fi
    if ! command -v gradle >/dev/null; then
        install_packages "Gradle" gradle || say "by-gradle fails below: there is no Gradle"
    fi
    cp -r "$root/examples" "$project-gradle"
    if (cd "$project-gradle" && JAVA_HOME=$jdk gradle --no-daemon "-Prepository=file://$made/maven" \
        "-Dmaven.repo.local=$repository" --gradle-user-home "$work/gradle" jar) >"$log.gradle" 2>&1; then
        cp "$project-gradle"/build/libs/*.jar "$1/by-gradle.jar"
        if grep -i malformed "$log.gradle" >&2; then
            rm -f "$1/by-gradle.jar"
        fi
    else
        say "Gradle could not build examples/build.gradle: $log.gradle"
        tail -n 20 "$log.gradle" >&2
    fi
}

# --- as the second stage of a Containerfile lays it out ---------------------------------------------------------------

hand_out() {
    take_back "$1"
    cp -a "$work/sluice-$version" "$1/opt/sluice"
    cp -a "$work/programs" "$1/program"
    cp "$made/sluice_${version}_all.deb" "$1/opt/sluice.deb"
}

take_back() {
    rm -rf --one-file-system "$1/opt/sluice" "$1/opt/sluice.deb" "$1/program"
}

# --- inside the namespace, which has no network -----------------------------------------------------------------------

# inside NAME DIRECTORY
inside() {
    local name=$1 directory=$2 java release
    # A mount of its own can be made read-only.
    mount --bind "$directory" "$directory"
    mount -t proc proc "$directory/proc"
    mount --rbind /sys "$directory/sys"
    mount --rbind /dev "$directory/dev"
    # As in containers.
    mount -t tmpfs -o mode=1777,nosuid,nodev,noexec tmpfs "$directory/dev/shm"
    ip link set lo up 2>/dev/null || true
    check "there is no compiler" 1 '' "command -v javac || command -v mvn || command -v gcc"
    for java in "$directory"/usr/lib/jvm/java-*-openjdk-*; do
        if [ ! -d "$java" ] || [ -L "$java" ]; then continue; fi
        java=${java#"$directory"}
        release=${java#*java-}
        release=${release%%-*}
        on_java "$java" "$release"
    done
    if [ "$name" = runtime ]; then
        check "Debian's package" 0 '3 doubles from rank 0.*gone' "dpkg -i /opt/sluice.deb && cd / &&
            sluice run -n 2 -cp /program/classes Hello && (cd /program/mpijava && mpjrun.sh -np 2 Main x) &&
            [ -f /usr/lib/sluice/lib/mpj.jar ] && dpkg -r sluice && [ ! -e /usr/bin/sluice ] &&
            [ ! -L /usr/bin/mpjrun.sh ] && echo gone"
    fi
    check "nothing is left in /dev/shm" 0 '^$' "ls -A /dev/shm"
    printf '%d passed here, %d failed\n' "$passed" "$failed"
}

# on_java JAVA_HOME RELEASE
on_java() {
    local java="export JAVA_HOME=$1 PATH=$1/bin:\$PATH;" sluice=/opt/sluice/bin/sluice
    local hello='-cp /program/classes Hello'
    local three='3 doubles from rank 0'
    label="$name, Java $2"
    check "doctor" 0 'Sluice is usable here' "$java $sluice doctor"
    check "two JVMs" 0 "^$three\$" "$java $sluice run -n 2 $hello"
    check "two threads" 0 "^$three\$" "$java $sluice run -n 2 --jvms 1 $hello"
    check "exec" 1 'rank 1 is out of range' "$java $sluice exec -cp /program/classes example.hello.Hello"
    check "plain java" 1 'rank 1 is out of range' \
        "$java java -cp /opt/sluice/lib/sluice.jar:/program/classes example.hello.Hello"
    check "bench" 0 'limit +the floor of this machine' "$java $sluice bench --peers list"
    check "Kotlin" 0 "^$three\$" "$java $sluice run -n 2 -cp /program/classes example.hello.HelloKotlinKt"
    check "coroutines" 0 "$three" "$java $sluice run -n 2 -cp /program/classes example.hello.HelloCoroutinesKt"
    check "a fat jar" 0 "^$three\$" "$java $sluice run -n 2 -jar /program/fat.jar"
    check "a fat jar by java" 0 '' "$java java -jar /program/fat.jar"
    check "built by Maven" 0 "^$three\$" "$java $sluice run -n 2 -cp /program/by-maven.jar Hello"
    check "built by Gradle" 0 "^$three\$" "$java $sluice run -n 2 -cp /program/by-gradle.jar Hello"
    check "MPJ Express's dialect" 0 'rank . was given 4 words, its own x' \
        "$java cd /program/mpijava && MPJ_HOME=/opt/sluice /opt/sluice/bin/mpjrun.sh -np 2 Main x"
    check "Open MPI's dialect" 0 '^sum 1 of x sum 1 of x$' "$java $sluice run -n 2 -cp /program/openmpi Main x"
    check "the module path" 0 'org.sluice took 41' \
        "$java java --module-path /opt/sluice/lib:/program/modules -m hello/hello.Main"
    check "nothing may be written but /dev/shm" 0 "^$three\$" "$java mount -o remount,bind,ro / &&
        mount -t tmpfs -o ro tmpfs /tmp && ! touch /tmp/x /etc/x /x 2>/dev/null &&
        $sluice run -n 2 $hello"
}

# check WHAT STATUS PATTERN SHELL-COMMAND: in $directory; the pattern is looked for in what it prints, as one line.
check() {
    local status=0 printed
    # In mounts and a process tree of its own, of which nothing stays.
    local apart="unshare --mount --propagation unchanged --pid --fork --kill-child --mount-proc"
    printed=$(in_machine "$directory" "cd / && exec timeout -k 5 $limit_s $apart \
        bash -c $(printf '%q' "$4") </dev/null 2>&1") || status=$?
    if [ "$status" -eq "$2" ] && grep -qE -- "$3" <<<"$(tr '\n' ' ' <<<"$printed" | sed 's/ $//')"; then
        passed=$((passed + 1))
        return 0
    fi
    failed=$((failed + 1))
    printf 'dist-roots: %s: %s: exit status %s instead of %s, or no "%s" in:\n%s\n' "${label:-$name}" "$1" "$status" \
        "$2" "$3" "$printed"
}

if [ "${1:-}" = --inside ]; then
    inside "$2" "$3"
else
    main "$@"
fi
