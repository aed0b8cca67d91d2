#!/usr/bin/env bash
# Sluice on aarch64, under qemu-user with Debian's Java runtime for arm64, which is unpacked and not configured: what
# ./sluice dist makes, and those tests of jni that can run so. Ends with the line of counts that tools/test.sh reads:
# emulated.sh [DIST], which is built if none is given.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/arm64.sh"
work=$state/emulated
packages=(openjdk-17-jre-headless libc6 zlib1g libstdc++6 libgcc-s1 libibverbs1 librdmacm1 libnl-3-200
    libnl-route-3-200)
limit_s=600
passed=0
failed=0
skipped=0

# What qemu-user is not: a method, and why it is left out.
left_out=(
    "org.sluice.jni.NativeLibraryTest.noexecIsExplainedAndGoneRound: mounts without the right to execute don't count"
    "org.sluice.jni.os.OsMemoryTest.readsOurOwnMemory: there is no process_vm_readv"
    "org.sluice.jni.os.OsMemoryTest.readsAnotherJvm: there is no process_vm_readv"
    "org.sluice.jni.os.OsMemoryTest.badAddressesAndNumbersAreResults: there is no process_vm_readv"
    "org.sluice.jni.os.OsMemoryTest.mapsMoreThanTwoGigabytes: there is no process_vm_readv"
    "org.sluice.jni.HardeningTest: it reads the libraries that were built for this checkout"
)

main() {
    ensure_build_tools
    command -v qemu-aarch64-static >/dev/null || install_packages "what emulates aarch64" qemu-user-static ||
        die "there is no qemu-aarch64-static."
    rm -rf "$work"
    mkdir -p "$work"
    trap 'rm -rf "$work"' EXIT
    local made=${1:-}
    if [ -z "$made" ]; then
        # In a copy: tests may be running from what this checkout has built.
        made=$work/dist
        mkdir -p "$work/checkout"
        (cd "$root" && git ls-files -z | xargs -0 cp -a --parents -t "$work/checkout")
        mkdir "$work/checkout/.build"
        ln -s "$arm" "$work/checkout/.build/arm64"
        mkdir -p "$arm"
        "$work/checkout/tools/dist.sh" "$made" || die "./sluice dist failed"
    fi
    tar -C "$work" -xzf "$made"/sluice-*.tar.gz
    mv "$work"/sluice-* "$work/sluice"
    unpack_arm64 jre "${packages[@]}"
    wrap_java
    mkdir "$work/classes"
    "$jdk/bin/javac" -cp "$work/sluice/lib/sluice.jar" -d "$work/classes" "$root/examples/Hello.java"
    local sluice="$work/sluice/bin/sluice" hello="-cp $work/classes Hello"
    check "doctor" 'Sluice is usable here' "$sluice doctor"
    check "two JVMs" '3 doubles from rank 0' "$sluice run -n 2 $hello"
    check "two threads" '3 doubles from rank 0' "$sluice run -n 2 --jvms 1 $hello"
    check "natives of this machine" 'libsluice_os loaded' \
        "$java_home/bin/java -cp $work/probe:$work/sluice/lib/sluice.jar Probe"
    test_jni
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# The runtime's own programs become scripts that call the emulator, so that what a JVM starts is emulated as well.
wrap_java() {
    local program
    java_home=$arm/jre/usr/lib/jvm/java-17-openjdk-arm64
    for program in "$java_home/bin/java" "$java_home/lib/jspawnhelper"; do
        [ -e "$program.arm64" ] || mv "$program" "$program.arm64"
        printf '#!/bin/sh\nexec qemu-aarch64-static -L %q %q "$@"\n' "$arm/jre" "$program.arm64" >"$program"
        chmod 755 "$program"
    done
    mkdir -p "$work/probe"
    cat >"$work/probe/Probe.java" <<'JAVA'
public final class Probe {
    public static void main(String[] args) {
        org.sluice.jni.NativeLibrary library = org.sluice.jni.NativeLibrary.load("os");
        System.out.println(System.getProperty("os.arch") + ": libsluice_os "
                + (library.loaded() ? "loaded" : library.reason()));
    }
}
JAVA
    "$jdk/bin/javac" -cp "$work/sluice/lib/sluice.jar" -d "$work/probe" "$work/probe/Probe.java"
}

# The unit tests of jni, with the libraries of the tar ball in front of those that were built here.
test_jni() {
    local log=$state/emulated-jni.log options=() each ok bad
    for each in "${left_out[@]}"; do
        options+=("--exclude-methodname" "${each%%: *}.*")
        printf '  skipped: %s\n' "$each"
        skipped=$((skipped + 1))
    done
    timeout "$limit_s" "$java_home/bin/java" "-Dsluice.root=$root" \
        -cp "$root/jni/target/test-classes:$work/sluice/lib/sluice.jar:$(cat "$root/jni/target/test-class-path")" \
        org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=tree \
        --scan-class-path "$root/jni/target/test-classes" --exclude-tag verbs --exclude-tag all --exclude-tag long \
        "${options[@]}" >"$log" 2>&1 </dev/null || true
    ok=$(sed -n 's/^\[ *\([0-9]*\) tests successful.*/\1/p' "$log")
    bad=$(sed -n 's/^\[ *\([0-9]*\) tests failed.*/\1/p' "$log")
    passed=$((passed + ${ok:-0}))
    failed=$((failed + ${bad:-1}))
    [ "${bad:-1}" -eq 0 ] || { grep -a '✘' "$log" || tail -n 20 "$log"; }
}

# check WHAT PATTERN COMMAND
check() {
    local status=0 printed
    # shellcheck disable=SC2086 # words
    printed=$(JAVA_HOME=$java_home timeout "$limit_s" $3 2>&1 </dev/null) || status=$?
    if [ "$status" -eq 0 ] && grep -q -- "$2" <<<"$printed"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'emulated: %s: exit status %s, or no "%s" in:\n%s\n' "$1" "$status" "$2" "$printed"
    fi
}

main "$@"
