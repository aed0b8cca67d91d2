#!/usr/bin/env bash
# What is built runs on a system that can build nothing: a copy of this checkout in a bare Debian 12 with a Java runtime
# alone, no compiler, no Maven and no headers of verbs. Needs root, and what ./sluice builds; ends with the line of
# counts that tools/test.sh reads. The system is kept in .build/roots.
set -euo pipefail
self=$(readlink -f "${BASH_SOURCE[0]}")
root=$(cd "$(dirname "$self")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/machines.sh"
roots=$root/.build/roots
limit_s=120
passed=0
failed=0

say() {
    printf 'bare-roots: %s\n' "$*" >&2
}

die() {
    say "error: $*"
    exit 1
}

main() {
    [ "$(id -u)" -eq 0 ] || die "debootstrap and chroot need root: try sudo $self"
    [ -f "$root/.build/lib/sluice.jar" ] || die "nothing is built here: ./sluice --version does it"
    local directory=$roots/runtime
    # One that was never finished has no mark.
    [ -e "$directory$home/.fresh-machine" ] || rm -rf --one-file-system "$directory"
    make_machine "$directory" openjdk-17-jre-headless
    copy_built "$directory$home/sluice"
    # What stays is the system: rules for the sources need not hold in a second copy of them.
    trap 'rm -rf --one-file-system "'"$directory$home/sluice"'"' EXIT
    unshare --mount --pid --fork --kill-child --propagation private bash "$self" --inside "$directory"
}

# What an administrator copies to a node: sources, so that ./sluice compares them, and what is built.
copy_built() {
    rm -rf --one-file-system "$1"
    mkdir -p "$1/.build" "$1/bench/target/test-classes"
    (cd "$root" && git ls-files -z | xargs -0 cp -a --parents -t "$1")
    cp -a "$root/.build/lib" "$root/.build/sluice-core.jar" "$root/.build/stamp" "$1/.build/"
    cp -a "$root/bench/target/test-classes/example" "$1/bench/target/test-classes/"
}

inside() {
    local directory=$1
    mount -t proc proc "$directory/proc"
    mount --rbind /sys "$directory/sys"
    mount --rbind /dev "$directory/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$directory/dev/shm"
    local packages hello='-cp bench/target/test-classes example.hello.Hello'
    packages=$(in_machine "$directory" "dpkg-query -W | sha256sum")
    check "there is no compiler" 1 '' \
        "command -v javac || command -v mvn || command -v gcc || [ -e /usr/include/infiniband ]"
    check "doctor" 0 'shm' "./sluice doctor"
    check "run" 0 '^3 doubles from rank 0$' "./sluice run -n 2 $hello"
    check "run, ranks as threads" 0 '3 doubles from rank 0' "./sluice run -n 2 --jvms 1 $hello"
    check "exec" 1 'rank 1' "./sluice exec $hello"
    check "top without a job" 1 'no job runs' "./sluice top --once"
    check "run, where nothing may be written" 0 '3 doubles from rank 0' \
        "mount --bind -o ro . . && cd . && ./sluice run -n 2 $hello"
    in_machine "$directory" 'echo "// changed" >>~/sluice/device/src/main/java/org/sluice/device/Device.java'
    check "run, when a source has changed" 0 'running what was built.*3 doubles from rank 0' "./sluice run -n 2 $hello"
    check "test, which builds" 1 'apt-get install .*maven' "SLUICE_INSTALL=no ./sluice test"
    check "nothing was installed" 0 "$packages" "dpkg-query -W | sha256sum"
    check "nothing is left in /dev/shm" 0 '^$' "ls -A /dev/shm"
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}

# check WHAT STATUS PATTERN SHELL-COMMAND: in $directory; the pattern is looked for in what it prints, as one line.
check() {
    local what=$1 status=0 printed
    # In mounts and a process tree of its own, of which nothing stays.
    local apart="unshare --mount --propagation unchanged --pid --fork --kill-child --mount-proc"
    printed=$(in_machine "$directory" "cd ~/sluice && exec timeout -k 5 $limit_s $apart \
        bash -c $(printf '%q' "$4") </dev/null 2>&1") || status=$?
    if [ "$status" -eq "$2" ] && grep -qE -- "$3" <<<"$(tr '\n' ' ' <<<"$printed" | sed 's/ $//')"; then
        passed=$((passed + 1))
        return 0
    fi
    failed=$((failed + 1))
    printf 'bare-roots: %s: exit status %s instead of %s, or no "%s" in:\n%s\n' "$what" "$status" "$2" "$3" "$printed"
}

if [ "${1:-}" = --inside ]; then
    inside "$2"
else
    main
fi
