#!/usr/bin/env bash
# Runs the tests that carry a tag, in each of some modules, with JUnit's console: Maven, which has built them, would
# look at all of it again, compile Kotlin anew and make each jar. On the host or in a guest. junit.sh [--limit SECONDS]
# [--older | --newer] [--flag=FLAG]... TAG JDK TIER REPORTS MODULE... SECONDS is for one module. Of two JDKs that share
# --all the newer leaves out what has the tag once, and the older what has the tag all and not once. Each FLAG is for
# the JVM. TAG may be host, for all that needs no guest. JDK is its home, or empty for the one that builds. TIER is
# first, all, or long, which runs the long ones alone. REPORTS is a folder, with %s for the module and %n for the number
# of the node.
set -uo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/tools/setup.sh"
# What a test, or anything in it, may take in a guest, times what it may take elsewhere: an emulated processor, of which
# other work may leave a quarter.
patience=1
[ -z "${SLUICE_VM_NODE:-}" ] || patience=4
limit_s=7200
of_two=
more_flags=()
while :; do
    case $1 in
        --limit) limit_s=$2 && shift 2 ;;
        --older | --newer) of_two=${1#--} && shift ;;
        --flag=*) more_flags+=("${1#--flag=}") && shift ;;
        *) break ;;
    esac
done
tag=$1 home=$2 tier=$3 reports=$4
shift 4
if [ -z "$home" ]; then
    find_jdk 17 || die "no JDK 17 or newer is found." "Name its home: junit.sh TAG JDK TIER REPORTS MODULE..."
    home=$jdk
fi

# A newer JDK, for tests that start ranks on it, as JDK 17 has no virtual threads; empty where there is none.
newer=$(find_jdk 25 && printf '%s\n' "$jdk")

# The flags that Surefire gives; and for what is emulated, or boots it, the first compiler alone: there the second takes
# more time than it saves.
jvm_flags() {
    sed -n 's/^ *\(--add-\(opens\|exports\)=[^ ]*\) *$/\1/p' "$root/pom.xml"
    sed -n 's|^ *<test.jvm.checks>\(.*\)</test.jvm.checks>.*|\1|p' "$root/$1/pom.xml"
    quiet_flags "$home"
    printf '%s\n' -ea -Xmx1g "-Dsluice.root=$root"
    [ -z "${SLUICE_VM_NODE:-}" ] && [ "$tag" != vm ] || printf '%s\n' -XX:TieredStopAtLevel=1
    [ -z "$newer" ] || printf '%s\n' "-Dsluice.test.second.jdk=$newer"
    [ "$tier" != all ] || printf '%s\n' "-Dsluice.test.all=$([ "$of_two" = older ] && echo once || echo true)"
    # All else that a JVM of a guest writes is gone when the guest is, the report of a crash too.
    [ -z "${SLUICE_VM_NODE:-}" ] ||
        printf '%s\n' "-Dsluice.test.patience=$patience" "-XX:ErrorFile=$SLUICE_VM_OUT/hs_err_%p.log"
}

# A tag expression of JUnit's, of what this tier runs.
chosen() {
    local expression=$tag
    [ "$tag" != host ] || expression='!verbs & !verbs-deaths & !verbs-nodes & !vm'
    case $tier in
        long) expression+=' & long' ;;
        all) expression+=' & !long' ;;
        *) expression+=' & !long & !all' ;;
    esac
    case $of_two in
        older) expression+=' & (!all | once)' ;;
        newer) expression+=' & !once' ;;
    esac
    printf '%s' "$expression"
}

# selectors MODULE: what JUnit looks at. In a guest, or for one, to load each class of a module takes longer than many a
# test, so there it is told which have the tag: those of Java, whose files have their names.
selectors() {
    local sources=$root/$1/src/test/java file
    case $tag in
        verbs* | vm)
            if ! grep -rqF "@Tag(\"$tag\")" "$root/$1"/src/test/kotlin 2>/dev/null; then
                grep -rlF "@Tag(\"$tag\")" "$sources" | while read -r file; do
                    file=${file#"$sources"/}
                    file=${file%.java}
                    printf '%s\n' --select-class "${file//\//.}"
                done
                return
            fi
            ;;
    esac
    printf '%s\n' --scan-class-path "$root/$1/target/test-classes"
}

# test_module MODULE: from its folder, as Maven does.
test_module() {
    local target=$root/$1/target folder=${reports//%s/$1} flags class_path archive selected
    class_path=$target/test-classes:$target/classes:$(cat "$target/test-class-path")
    folder=${folder//%n/${SLUICE_VM_NODE:-0}}
    mapfile -t flags < <(jvm_flags "$1" | tr ' ' '\n')
    flags+=(${more_flags[@]+"${more_flags[@]}"})
    # Linked classes, as for the ranks of ./sluice run: JVMs start in a guest within half the time, and those that tests
    # start find it too.
    archive=$state/classes-$(jdk_version "$home").jsa
    if [ -n "${SLUICE_VM_NODE:-}" ] && [ -f "$archive" ] &&
        cmp -s "$core_jar" "$root/jars/target/sluice-core.jar"; then
        flags+=("-XX:SharedArchiveFile=$archive" -Xlog:cds=off -Xlog:cds+dynamic=off "-Dsluice.home=$root")
        class_path=$core_jar:$class_path
    fi
    mapfile -t selected < <(selectors "$1")
    printf '%s: tests with the tag %s\n' "$1" "$tag"
    cd "$root/$1" || return 1
    # In this script's process group, so that whoever ends the group ends the JVM and what it started.
    timeout --foreground --kill-after=10 "$limit_s" "$home/bin/java" "${flags[@]}" -cp "$class_path" \
        org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --details=testfeed \
        --fail-if-no-tests --include-tag "$(chosen)" \
        --config junit.jupiter.execution.timeout.default="$((180 * patience)) s" \
        --config junit.jupiter.execution.timeout.thread.mode.default=SEPARATE_THREAD \
        --reports-dir "$folder" "${selected[@]}"
}

status=0
for module; do
    test_module "$module" || status=1
done
exit "$status"
