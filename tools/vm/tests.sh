#!/usr/bin/env bash
# Runs the tests that carry a tag, in each of some modules, without Maven: on the host or in a guest.
# tests.sh [--built FOLDER] [--flag=FLAG]... TAG JDK TIER REPORTS MODULE...: FOLDER has a copy of what is built, MODULE/target; each FLAG is for the JVM; JDK is
# its home, or empty for the one that builds; TIER is first, all, or long, which runs the long ones alone; REPORTS is a folder, with %s for the module and %n
# for the number of the node.
set -uo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
. "$root/tools/setup.sh"
built=$root
# What a test, or anything in it, may take in a guest, times what it may take elsewhere: an emulated processor, of which other work may leave a tenth.
patience=1
[ -z "${SLUICE_VM_NODE:-}" ] || patience=4
if [ "$1" = --built ]; then
    built=$2
    shift 2
fi
more_flags=()
while [ "${1#--flag=}" != "$1" ]; do
    more_flags+=("${1#--flag=}")
    shift
done
tag=$1 home=$2 tier=$3 reports=$4
shift 4
if [ -z "$home" ]; then
    find_jdk 17 || die "no JDK 17 or newer is found." "Name its home: tests.sh TAG JDK TIER REPORTS MODULE..."
    home=$jdk
fi

# A newer JDK, for tests that start ranks on it, as JDK 17 has no virtual threads; empty where there is none.
newer=$(find_jdk 25 && printf '%s\n' "$jdk")

# The flags that Surefire gives; and the first compiler alone: an emulated core spends more time in the second than that saves, and what boots guests waits.
jvm_flags() {
    sed -n 's/^ *\(--add-\(opens\|exports\)=[^ ]*\) *$/\1/p' "$root/pom.xml"
    sed -n 's|^ *<test.jvm.checks>\(.*\)</test.jvm.checks>.*|\1|p' "$root/$1/pom.xml"
    quiet_flags "$home"
    printf '%s\n' -ea -Xmx1g -XX:TieredStopAtLevel=1 "-Dsluice.root=$root"
    [ -z "$newer" ] || printf '%s\n' "-Dsluice.test.second.jdk=$newer"
    # All else that a JVM of a guest writes is gone when the guest is, the report of a crash too.
    [ -z "${SLUICE_VM_NODE:-}" ] || printf '%s\n' "-Dsluice.test.patience=$patience" "-XX:ErrorFile=$SLUICE_VM_OUT/hs_err_%p.log"
}

# test_module MODULE
test_module() {
    local target=$built/$1/target folder=${reports//%s/$1} flags tags class_path archive
    class_path=$target/test-classes:$target/classes:$(cat "$target/test-class-path")
    folder=${folder//%n/${SLUICE_VM_NODE:-0}}
    case $tier in
        long) tags=(--include-tag "$tag & long") ;;
        all) tags=(--include-tag "$tag" --exclude-tag long) ;;
        *) tags=(--include-tag "$tag" --exclude-tag long --exclude-tag all) ;;
    esac
    mapfile -t flags < <(jvm_flags "$1" | tr ' ' '\n')
    flags+=(${more_flags[@]+"${more_flags[@]}"})
    # Linked classes, as for the ranks of ./sluice run: JVMs start in a guest within half the time, and those that tests start find it too.
    archive=$state/classes-$(jdk_version "$home").jsa
    if [ -n "${SLUICE_VM_NODE:-}" ] && [ -f "$archive" ] && cmp -s "$core_jar" "$built/bench/target/sluice-core.jar"; then
        flags+=("-XX:SharedArchiveFile=$archive" -Xlog:cds=off -Xlog:cds+dynamic=off "-Dsluice.home=$root")
        class_path=$core_jar:$class_path
    fi
    printf '%s: tests with the tag %s\n' "$1" "$tag"
    "$home/bin/java" "${flags[@]}" -cp "$class_path" \
        org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=testfeed \
        --fail-if-no-tests "${tags[@]}" --config junit.jupiter.execution.timeout.default="$((180 * patience)) s" \
        --config junit.jupiter.execution.timeout.thread.mode.default=SEPARATE_THREAD \
        --reports-dir "$folder" --scan-class-path "$target/test-classes"
}

status=0
for module; do
    test_module "$module" || status=1
done
exit "$status"
