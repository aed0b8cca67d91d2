#!/usr/bin/env bash
# ./sluice test: every layer on every JVM that counts, and the sums at the end.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/reports.sh"
. "$root/tools/guests.sh"

long=false
second_jdk=

usage() {
    cat <<'TEXT'
Usage: sluice test [--long]
Builds Sluice and runs the whole suite: the Maven tests on JDK 17 and, where one is installed, on JDK 25 or newer;
jcstress on both; the C code under ASan and UBSan; what needs an RDMA device, in a virtual machine. Ends with the counts; exits 0 only if nothing failed and every layer ran.
      --long   also storms, sweeps and soaks
  -h, --help   Show this help message and exit.
TEXT
}

main() {
    local argument
    for argument; do
        case $argument in
            --long) long=true ;;
            -h | --help)
                usage
                exit 0
                ;;
            *) (die "test knows no '$argument'." "Allowed: --long, --help.") || exit 2 ;;
        esac
    done
    ensure_launchers
    ensure_built
    with_lock run_layers
}

run_layers() {
    local guests=true
    choose_jdks
    build_tests
    begin_guests || guests=false
    if run_maven; then
        ! "$guests" || finish_guests
        # It measures whether two actors meet, and so has the cores alone.
        run_jcstress "$jdk"
        if [ -n "$second_jdk" ]; then
            run_jcstress "$second_jdk"
        fi
        run_native
    fi
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# The suite belongs on the baseline, whatever JAVA_HOME says; what newer releases change is the second run's business.
choose_jdks() {
    if find_jdk 25; then
        second_jdk=$jdk
    fi
    if ! find_jdk 17 17; then
        find_jdk 17
        printf 'JDK 17: skipped, because none is installed here; using %s\n' "$(jdk_version "$jdk")"
    fi
    if [ -z "$second_jdk" ] || [ "$second_jdk" = "$jdk" ]; then
        second_jdk=
        printf 'JDK 25: skipped, because none is installed here beside JDK %s\n' "$(jdk_version "$jdk")"
    fi
}

# Guests begin with what is built, before Maven looks.
build_tests() {
    if ! are_tests_built; then
        build
        archive_classes
    fi
}

# --- Maven ------------------------------------------------------------------------------------------------------------

run_maven() {
    local log=$state/test.log arguments=() status=0
    sweep
    rm -rf "$root"/*/target/surefire-reports "$root"/*/target/surefire-reports-second
    # shellcheck disable=SC2207 # the flags are words
    arguments=(package -Dmaven.test.failure.ignore "-Dtest.jvm.flags=$(quiet_flags "$jdk")")
    if [ -n "$second_jdk" ]; then
        arguments+=("-Dsecond.jvm=$second_jdk/bin/java" "-Dsecond.jvm.flags=$(quiet_flags "$second_jdk")")
    fi
    if "$long"; then
        arguments+=(-Dtest.excluded.tags=verbs,verbs-deaths,verbs-nodes,vm -Dsluice.test.long=true)
        # Arrays above 2 GB: a heap for two of them, where the machine has as much.
        if [ "$(awk '/^MemAvailable:/ { print int($2 / 1048576) }' /proc/meminfo)" -ge 12 ]; then
            arguments+=(-Dtest.jvm.heap=-Xmx7g)
        fi
    fi
    maven "testing" "$log" "${arguments[@]}" || status=$?
    if [ "$status" -ne 0 ]; then
        report "the build" 0 1 0
        maven_errors "$log"
    else
        count_reports
        # A test JVM that died or hung leaves no report to count.
        if grep -qaE 'forked VM terminated|error in the fork' "$log"; then
            report "test JVMs that ended early" 0 1 0
            maven_errors "$log"
        fi
        check_jni "$log"
    fi
    [ "$failed" -eq 0 ] || printf 'The whole log: %s\n' "$log"
    return "$status"
}

# What -Xcheck:jni finds is printed, not thrown; what it finds in the JDK's own libraries is not ours.
check_jni() {
    if grep -aA 1 'in native method' "$1" | grep -qa 'at org\.sluice'; then
        report "-Xcheck:jni" 0 1 0
        grep -aA 4 'in native method' "$1" | head -n 40
    fi
}

modules() {
    sed -n 's|^ *<module>\(.*\)</module>.*|\1|p' "$root/pom.xml"
}

count_reports() {
    local module
    for module in $(modules); do
        report_module "$module" surefire-reports "$(jdk_version "$jdk")"
        if [ -n "$second_jdk" ]; then
            report_module "$module" surefire-reports-second "$(jdk_version "$second_jdk")"
        fi
    done
}

# --- jcstress ---------------------------------------------------------------------------------------------------------

# A class called Broken... is a known fault that must be caught, or the net has a hole.
run_jcstress() {
    local module sources
    for module in shm hybrid; do
        sources=$root/$module/src/jcstress/java
        [ -d "$sources" ] || continue
        jcstress_module "$module" "$sources" "$1"
    done
    if [ -z "$(find "$root"/*/src/jcstress -name 'Broken*.java' 2>/dev/null)" ]; then
        printf 'jcstress: no deliberately broken test proves that a fault would be caught\n'
        failed=$((failed + 1))
    fi
}

# jcstress_module MODULE SOURCES JDK
jcstress_module() {
    local module=$1 sources=$2 home=$3 work=$root/$1/target/jcstress ok=0 bad=0 mode=quick name flags
    local layer="jcstress in $1 on JDK $(jdk_version "$3")"
    flags=$(quiet_flags "$home")
    "$long" && mode=default
    rm -rf "$work"
    mkdir -p "$work"
    # One fixed set of JVM arguments, and no split compilation: what it would multiply the time by, two cores do not have.
    jcstress_run "$work/log" -m "$mode" &
    local pid=$!
    follow "$pid" "$layer" "$work/log"
    wait "$pid" || true
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
    report "$layer" "$ok" "$bad" 0
    [ "$bad" -eq 0 ] || printf 'The whole log: %s\n' "$work/log"
}

# jcstress_run LOG ARGUMENT...: with $home, $work, $module and $flags of jcstress_module.
jcstress_run() {
    local log=$1
    shift
    cd "$work"
    "$home/bin/java" -cp "$root/$module/target/test-classes:$root/$module/target/classes:$(cat ../test-class-path)" \
        org.openjdk.jcstress.Main -v "$@" -sc false -jvmArgs "-Xmx256m${flags:+ $flags}" -r "$work/report" >"$log" 2>&1 </dev/null
}

# caught_in_longer_run NAME: where other programs take the cores, both actors may have run one after the other all the time.
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

# --- C ----------------------------------------------------------------------------------------------------------------

# The harness ends with a line of counts, as we do; sanitizers make it exit with a status of their own.
run_native() {
    local harness=$root/jni/test.sh log=$state/native.log counts status=0
    [ -f "$harness" ] || { report "C under ASan and UBSan" 0 0 0; return; }
    JAVA_HOME=$jdk bash "$harness" >"$log" 2>&1 </dev/null || status=$?
    counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1) || true
    # shellcheck disable=SC2086 # words: the first, third and fifth are numbers
    set -- ${counts:-0 passed, 0 failed} 0
    if [ "$status" -ne 0 ] && [ "$3" -eq 0 ]; then
        set -- "$1" passed, 1 failed, "$5" skipped
    fi
    report "C under ASan and UBSan" "$1" "$3" "$5"
    [ "$status" -eq 0 ] || tail -n 40 "$log"
}

main "$@"
