#!/usr/bin/env bash
# ./sluice test: the layers of a tier, and the sums at the end.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/layers.sh"
. "$root/tools/reports.sh"
. "$root/tools/guests.sh"

# first, all or long.
tier=first
second_jdk=
storm_seconds=

usage() {
    cat <<'TEXT'
Usage: sluice test [--all | --long [--seconds N]]
Builds Sluice and runs its tests. Says first which layers it will run and how long they took last; ends with the counts,
and exits 0 only if nothing failed and every layer ran a test.
                   on JDK 17 every room and every channel, those over verbs in virtual machines; the conformance tests
                   on JDK 25 or newer as well, if one is installed; formatters and linters
      --all        also everything on the newer JDK, jcstress on it, the C code under ASan and UBSan, sweeps, each
                   device under further options, the conformance tests without sun.misc.Unsafe, a machine that can
                   build nothing
      --long       only what goes on for minutes: soaks, storms, deaths over verbs, jcstress for longer, ZGC and
                   Shenandoah, guests with two emulated processors, images of containers
      --seconds N  for how long jobs begin whose ranks or launcher are stopped or killed at random (300)
  -h, --help       Show this help message and exit.
TEXT
}

main() {
    while [ $# -gt 0 ]; do
        case $1 in
            --all | --long)
                [ "$tier" = first ] || refuse "--all and --long are tiers of their own." "Give one of them."
                tier=${1#--}
                ;;
            --seconds)
                [[ ${2:-} =~ ^[1-9][0-9]*$ ]] ||
                    refuse "--seconds '${2:-}' is no number of seconds." "Allowed: 1 or more, with --long."
                storm_seconds=$2
                shift
                ;;
            -h | --help)
                usage
                exit 0
                ;;
            *) refuse "test knows no '$1'." "Allowed: --all, --long, --seconds, --help." ;;
        esac
        shift
    done
    [ "$tier" = long ] || [ -z "$storm_seconds" ] || refuse "--seconds is for storms." "Give --long with it."
    find_second_jdk
    plan_layers
    tell_plan
    begin_layer build
    ensure_build_tools
    ensure_launchers
    [ "$tier" != all ] || ensure_browser
    ensure_built
    with_lock run_layers
}

refuse() {
    (die "$@") || exit 2
}

# Lists what this tier runs. The seconds are what two quiet cores took, for a checkout that has not run it yet.
plan_layers() {
    local host="every room and channel on JDK 17"
    if [ "$tier" = long ]; then
        plan build 150 "building"
        plan host 1500 "soaks and storms on JDK 17"
        plan guests 2400 "soaks and storms over verbs, in guests with two processors each"
        plan variants 300 "the conformance tests under two more collectors"
        plan dist 500 "what ./sluice dist makes, in two checkouts, in images, and on Debian 11"
        plan emulated 400 "what ./sluice dist makes, and the tests of jni, on an emulated aarch64"
        plan jcstress 2400 "jcstress for longer"
        return
    fi
    [ "$tier" != all ] || host+=${second_jdk:+" and on JDK $(jdk_version "$second_jdk")"}
    plan build 150 "building"
    plan lint 40 "formatters and linters"
    plan host "$([ "$tier" = all ] && echo 1500 || echo 500)" "$host, guests beside them"
    if [ "$tier" = all ]; then
        plan native 60 "the C code under ASan and UBSan"
        plan variants 130 "the conformance tests without sun.misc.Unsafe"
        plan roots 120 "machines that can build nothing"
        plan dist 300 "what ./sluice dist makes, on Debian 12 and 13 with a Java runtime alone"
    else
        plan conformance 60 "the conformance tests${second_jdk:+ on JDK $(jdk_version "$second_jdk")}"
    fi
    plan guests "$([ "$tier" = all ] && echo 60 || echo 180)" "the rest of what needs guests"
    [ "$tier" != all ] || plan jcstress 200 "jcstress"
}

run_layers() {
    local guests=true
    choose_jdks
    build_tests
    [ "$tier" = long ] || in_layer lint run_counted "formatters and linters" "$state/lint.log" "$root/tools/lint.sh"
    begin_layer host
    begin_guests || guests=false
    run_host
    case $tier in
        first) in_layer conformance run_conformance ;;
        all)
            in_layer native run_native
            in_layer variants run_variants
            in_layer roots run_bare_roots
            in_layer dist run_dist_roots
            ;;
        long)
            in_layer variants run_long_variants
            in_layer dist run_long_dist
            in_layer emulated run_counted "an emulated aarch64" "$state/emulated.log" "$root/tools/emulated.sh"
            ;;
    esac
    if "$guests"; then
        in_layer guests finish_guests
    fi
    # It measures whether two actors meet, and so has the cores alone.
    if [ "$tier" != first ]; then
        begin_layer jcstress
        if [ "$tier" != all ] || [ -z "$second_jdk" ]; then
            run_jcstress "$jdk"
        fi
        [ -z "$second_jdk" ] || run_jcstress "$second_jdk"
    fi
    end_layers
    say "tested for $(minutes $SECONDS)"
    # Once more, at the end: what comes before is long.
    printf '%s' "$failures"
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# Sets $second_jdk to one that is 25 or newer, if there is an older one beside it.
find_second_jdk() {
    local newer
    find_jdk 25 || return 0
    newer=$jdk
    ! find_jdk 17 24 || second_jdk=$newer
    jdk=
}

# The suite belongs on the baseline, whatever JAVA_HOME says; what newer releases change is the second run's business.
choose_jdks() {
    if ! find_jdk 17 17; then
        find_jdk 17
        leave_out "JDK 17" "none is installed here; using $(jdk_version "$jdk")"
    fi
    if [ -z "$second_jdk" ] || [ "$second_jdk" = "$jdk" ]; then
        second_jdk=
        leave_out "JDK 25" "none is installed here beside JDK $(jdk_version "$jdk")"
    fi
}

build_tests() {
    if ! are_tests_built; then
        build
        archive_classes
    fi
}

# --- the host ---------------------------------------------------------------------------------------------------------

run_host() {
    local flags=()
    if [ "$tier" = all ]; then
        # Arrays above 2 GB: a heap for two of them, if the machine has as much.
        if [ "$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 12 ]; then
            flags=(--flag=-Xmx7g)
        fi
    fi
    if [ "$tier" = long ]; then
        flags=(--limit $((7200 + ${storm_seconds:-0})))
        [ -z "$storm_seconds" ] || flags+=("--flag=-Dsluice.test.storm.seconds=$storm_seconds")
    fi
    if [ "$tier" = all ] && [ -n "$second_jdk" ]; then
        test_host "$jdk" host-reports --older ${flags[@]+"${flags[@]}"}
        test_host "$second_jdk" host-reports-second --newer ${flags[@]+"${flags[@]}"}
    else
        test_host "$jdk" host-reports ${flags[@]+"${flags[@]}"}
    fi
}

# test_host JDK REPORTS OPTION...: all modules, with these options of junit.sh.
test_host() {
    local home=$1 reports=$2 on module modules log before=$failed status=0
    shift 2
    on=$(jdk_version "$home")
    log=$state/test-$on.log
    modules=$(if [ "$tier" = long ]; then long_on_host; else modules; fi)
    rm -rf "$root"/*/target/"$reports"
    # shellcheck disable=SC2086 # words
    run_followed "testing on JDK $on" "$log" \
        bash "$root/tools/junit.sh" --limit 1500 "$@" \
        host "$home" "$tier" "$root/%s/target/$reports" $modules || status=$?
    for module in $modules; do
        report_module "$module" "$reports" "$on"
    done
    report_end "testing on JDK $on" "$status" "$before"
    check_jni "$log"
    [ "$failed" -eq "$before" ] || printf 'The whole log: %s\n' "$log"
}

# The modules that have something long for the host: of guests' tests a class is all, as it has their tag.
long_on_host() {
    local module
    for module in $(modules); do
        [ -z "$(grep -rlsF '@Tag("long")' "$root/$module/src/test" | xargs -r grep -LE '@Tag\("(verbs|vm)')" ] ||
            printf '%s\n' "$module"
    done
}

# report_end LAYER STATUS FAILED-BEFORE: a JVM that died after its last report has failed too.
report_end() {
    [ "$2" -eq 0 ] || [ "$failed" -gt "$3" ] || report "$1, a JVM that ended badly" 0 1 0
}

# What -Xcheck:jni finds is printed, not thrown; what it finds in the JDK's own libraries is not ours.
check_jni() {
    if grep -aA 1 'in native method' "$1" | grep -qa 'at org\.sluice'; then
        report "-Xcheck:jni" 0 1 0
        grep -aA 4 'in native method' "$1" | head -n 40
    fi
}

modules() {
    local module
    sed -n 's|^ *<module>\(.*\)</module>.*|\1|p' "$root/pom.xml" | while read -r module; do
        [ ! -d "$root/$module/src/test" ] || printf '%s\n' "$module"
    done
}

# --- conformance ------------------------------------------------------------------------------------------------------

run_conformance() {
    # Without a newer JDK the first has run them.
    [ -n "$second_jdk" ] || return 0
    conform newer "$(jdk_version "$second_jdk")" "$second_jdk"
}

run_variants() {
    local home=${second_jdk:-$jdk} on
    on=$(jdk_version "$home")
    if [ "$on" -ge 24 ]; then
        conform denied "$on, sun.misc.Unsafe denied" "$home" --sun-misc-unsafe-memory-access=deny
    else
        leave_out "conformance with sun.misc.Unsafe denied" "JDK $on can't deny it: 24 and newer can"
        # The layer has to run something.
        conform_under Z "$home"
    fi
}

run_long_variants() {
    # None of these tests is long itself.
    local tier=all each
    for each in Shenandoah Z; do
        conform_under "$each" "${second_jdk:-$jdk}"
    done
}

# conform_under COLLECTOR JDK
conform_under() {
    local on
    on=$(jdk_version "$2")
    if "$2/bin/java" "-XX:+Use$1GC" -version >/dev/null 2>&1; then
        conform "$1" "$on, -XX:+Use$1GC" "$2" "-XX:+Use$1GC"
    else
        leave_out "conformance with -XX:+Use$1GC" "JDK $on has none"
    fi
}

# conform NAME WHERE JDK FLAG...: of each module what carries the tag, in a JVM with these flags; the name is the log's.
conform() {
    local log=$state/conformance-$1.log where=$2 home=$3 module modules flags=() before=$failed status=0
    shift 3
    modules=$(tagged conformance)
    flags=("${@/#/--flag=}")
    rm -rf "$root"/*/target/conformance-reports
    # shellcheck disable=SC2086 # words
    run_followed "conformance on JDK $where" "$log" bash "$root/tools/junit.sh" ${flags[@]+"${flags[@]}"} \
        conformance "$home" "$tier" "$root/%s/target/conformance-reports" $modules || status=$?
    for module in $modules; do
        report_module "$module" conformance-reports "$where, conformance"
    done
    report_end "conformance on JDK $where" "$status" "$before"
    [ "$status" -eq 0 ] || printf 'The whole log: %s\n' "$log"
    check_jni "$log"
}

# --- jcstress ---------------------------------------------------------------------------------------------------------

# A class called Broken... is a known fault that must be caught, or the net has a hole.
run_jcstress() {
    local module sources
    for module in shm hybrid coroutines; do
        sources=$root/$module/src/jcstress/java
        [ -d "$sources" ] || continue
        jcstress_module "$module" "$sources" "$1"
    done
    if [ -z "$(find "$root"/*/src/jcstress -name 'Broken*.java' 2>/dev/null)" ]; then
        report "jcstress, a deliberately broken test that is caught" 0 0 0
    fi
}

# jcstress_module MODULE SOURCES JDK
jcstress_module() {
    local module=$1 sources=$2 home=$3 work=$root/$1/target/jcstress ok=0 bad=0 mode=quick name flags
    local title
    title="jcstress in $1 on JDK $(jdk_version "$3")"
    flags=$(quiet_flags "$home")
    [ "$tier" != long ] || mode=default
    rm -rf "$work"
    mkdir -p "$work"
    # One fixed set of JVM arguments, and no split compilation: what it would multiply the time by, two cores do not
    # have.
    run_followed "$title" "$work/log" jcstress_run "$work/log" -m "$mode" || true
    # The exit status says too little: it is 1 for the broken test and 0 when no test was found.
    while read -r name; do
        case $name in
            *.Broken*)
                if went "$name" FAILED "$work/log" || caught_in_longer_run "$name"; then
                    ok=$((ok + 1))
                else
                    jcstress_bad "$name" "was not caught"
                fi
                ;;
            *)
                if went "$name" '(OK|INTERESTING)' "$work/log" && ! went_wrong "$name" "$work/log"; then
                    ok=$((ok + 1))
                else
                    jcstress_bad "$name" "did not pass"
                fi
                ;;
        esac
    done < <(jcstress_tests "$sources")
    report "$title" "$ok" "$bad" 0
    [ "$bad" -eq 0 ] || printf 'The whole log: %s\n' "$work/log"
}

# jcstress_run LOG ARGUMENT...: with $home, $work, $module and $flags of jcstress_module.
jcstress_run() {
    local log=$1
    shift
    cd "$work"
    "$home/bin/java" -cp "$root/$module/target/test-classes:$root/$module/target/classes:$(cat ../test-class-path)" \
        org.openjdk.jcstress.Main -v "$@" -sc false -jvmArgs "-Xmx256m${flags:+ $flags}" -r "$work/report" \
        >"$log" 2>&1 </dev/null
}

# caught_in_longer_run NAME: where other programs take the cores, both actors may have run one after the other all the
# time.
caught_in_longer_run() {
    printf '  %s was not caught in a %s run; running it alone for longer\n' "$1" "$mode"
    (jcstress_run "$work/log-again" -m default -t "${1//./\\.}") || true
    went "$1" FAILED "$work/log-again"
}

jcstress_bad() {
    printf '  %s %s\n' "$1" "$2"
    bad=$((bad + 1))
}

# The tests that the sources declare, so that one which jcstress overlooks is missed: one line a class.
jcstress_tests() {
    find "$1" -name '*.java' -exec awk '
        FNR == 1 { package = ""; outer = ""; pending = 0 }
        /^package / { package = $2; sub(/;.*/, "", package) }
        /@JCStressTest/ { pending = 1 }
        / class / || /^class / {
            name = $0; sub(/.*class +/, "", name); sub(/[^A-Za-z0-9_].*/, "", name)
            if ($0 ~ /^[a-z]/) outer = name
            if (pending) print package "." (name == outer ? name : outer "." name)
            pending = 0
        }' {} +
}

# went NAME RESULT LOG
went() {
    grep -qaE "\\[$2\\] ${1//./\\.}\$" "$3"
}

went_wrong() {
    grep -aE "\\[[A-Z ]+\\] ${1//./\\.}\$" "$2" | grep -qvE '\[(OK|INTERESTING)\]'
}

# --- scripts that count -----------------------------------------------------------------------------------------------

run_native() {
    JAVA_HOME=$jdk run_counted "C under ASan and UBSan" "$state/native.log" "$root/jni/test.sh"
}

run_bare_roots() {
    if [ "$(id -u)" -ne 0 ]; then
        leave_out "machines that can build nothing" "making one needs root"
        return
    fi
    run_counted "machines that can build nothing" "$state/bare-roots.log" "$root/tools/bare-roots.sh"
}

run_dist_roots() {
    if [ "$(id -u)" -ne 0 ]; then
        leave_out "what ./sluice dist makes" "making a machine for it needs root"
        return
    fi
    run_counted "what ./sluice dist makes" "$state/dist-roots.log" "$root/tools/dist-roots.sh"
}

run_long_dist() {
    if [ "$(id -u)" -ne 0 ]; then
        leave_out "what ./sluice dist makes" "making a machine for it needs root"
        return
    fi
    run_counted "what ./sluice dist makes, twice" "$state/dist-twice.log" "$root/tools/dist-roots.sh" --twice
    run_counted "what ./sluice dist makes, in images and where the C library is old" "$state/dist-roots.log" \
        "$root/tools/dist-roots.sh" --rest
}

# run_counted LAYER LOG SCRIPT [ARGUMENT]...: the script ends with a line of counts, as we do; what ends it otherwise (a
# sanitizer has a status of its own) has failed.
run_counted() {
    local title=$1 log=$2 counts status=0
    run_followed "$title" "$log" bash "${@:3}" || status=$?
    counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1) || true
    # shellcheck disable=SC2086 # words: the first, third and fifth are numbers
    set -- ${counts:-0 passed, 0 failed} 0
    if [ "$status" -ne 0 ] && [ "$3" -eq 0 ]; then
        set -- "$1" passed, 1 failed, "$5" skipped
    fi
    report "$title" "$1" "$3" "$5"
    [ "$5" -eq 0 ] || grep -a '^  skipped: ' "$log" || true
    [ "$status" -eq 0 ] || tail -n 40 "$log"
}

main "$@"
