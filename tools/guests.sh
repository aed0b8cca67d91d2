# Sourced by tools/test.sh: the tests that need guests. An emulated guest keeps one core busy, and the tests on the host
# leave about as much idle, since most of them start processes and wait. So guests run beside them, one at a time and
# with a lower priority; what is left then runs one on each core. Expects $root and $jdk, $tier, and what setup.sh and
# reports.sh define. Sets $failed and its neighbours.

guest_log=$state/vm-test.log
guest_out=$state/vm/out/tests
# For each job a folder with its log and its exit status, which whoever makes it has taken.
guest_jobs=$state/vm/jobs
# What JUnit's console leaves of a run.
reported=TEST-junit-jupiter.xml
# Of all guests, so that none of them starves beside others: where the host's tests want both cores, too, one gets about
# a quarter of one, as its tests wait four times as long; of one that is idle all.
guest_nice=5
# Of a guest that runs what is long: what its processors do at the same time, one alone does not.
long_processors=2

jobs=()
lanes=()

# Lists the jobs: the number of nodes, or "host" for tests that boot guests themselves; the tag; the modules. A guest
# for each module whose tests take minutes, and one for all others. Those that say how long a boot may take, those that
# start several JVMs at once to have one killed (verbs-deaths), and those that need two cores, come last, when the
# host's tests are through.
list_guest_jobs() {
    local module others='' deaths nodes
    for module in $(tagged verbs); do
        case $module in
            # To boot a guest costs as much as all tests of the other modules, and in the first tier as a good part of
            # these, too.
            ib | hybrid) [ "$tier" = first ] && others+=" $module" || jobs+=("1 verbs $module") ;;
            *) others+=" $module" ;;
        esac
    done
    [ -z "$others" ] || jobs+=("1 verbs$others")
    for module in $(tagged vm); do
        jobs+=("host vm $module")
    done
    deaths=$(tagged verbs-deaths | tr '\n' ' ')
    [ -z "$deaths" ] || jobs+=("1 verbs-deaths $deaths")
    nodes=$(tagged verbs-nodes | tr '\n' ' ')
    [ -z "$nodes" ] || jobs+=("2 verbs-nodes $nodes")
}

# tagged TAG: the modules with such tests in this tier.
tagged() {
    local module
    for module in $(modules); do
        ! has_tag "$module" "$1" || printf '%s\n' "$module"
    done
}

# has_tag MODULE TAG: by the sources. A class that is all's or long's as a whole says so at the beginning of a line.
has_tag() {
    local tests=$root/$1/src/test
    case $tier in
        first) [ -n "$(grep -rlsF "@Tag(\"$2\")" "$tests" | xargs -r grep -LE '^@Tag\("(all|long)"\)')" ] ;;
        long) [ -n "$(grep -rlsF "@Tag(\"$2\")" "$tests" | xargs -r grep -lF '@Tag("long")')" ] ;;
        *) [ -n "$(grep -rlsF "@Tag(\"$2\")" "$tests" | xargs -r grep -LE '^@Tag\("long"\)')" ] ;;
    esac
}

# Begins with the jobs; true if there is a VM for them.
begin_guests() {
    rm -rf "$root"/{*,mpi/*}/target/{vm,verbs,verbs-deaths,verbs-nodes}-reports "$guest_out" "$guest_jobs" "$guest_log"
    if ! bash "$root/tools/vm/prepare.sh"; then
        report "the VM" 0 1 0
        return 1
    fi
    list_guest_jobs
    mkdir -p "$guest_jobs"
    trap end_guests EXIT
    # Storms keep all cores busy for minutes, and two large heaps may be too much for the memory.
    if [ "$tier" != long ] && [ "$(nproc)" -gt 1 ]; then
        say "testing in guests, beside all else (logs: $guest_jobs/*/log)"
        open_lane
    fi
}

# In a process group of its own, so that it can be ended with all that it started.
open_lane() {
    set -m
    lane </dev/null &
    lanes+=($!)
    set +m
}

end_guests() {
    local pid
    for pid in ${lanes[@]+"${lanes[@]}"}; do
        kill -- "-$pid" 2>/dev/null || true
    done
}

# Does one job after the other that nobody has taken.
lane() {
    local i result
    renice -n "$guest_nice" -p "$BASHPID" >/dev/null || true
    for i in "${!jobs[@]}"; do
        mkdir "$guest_jobs/$i" 2>/dev/null || continue
        ln -sfn "$guest_jobs/$i/log" "$guest_jobs/now"
        result=0
        # shellcheck disable=SC2086 # words
        do_job "$guest_jobs/$i/log" ${jobs[i]} || result=$?
        printf '%s\n' "$result" >"$guest_jobs/$i/status"
    done
}

# do_job LOG NODES TAG MODULE...
do_job() {
    local log=$1 nodes=$2 tag=$3 module
    shift 3
    if [ "$nodes" = host ]; then
        bash "$root/tools/junit.sh" "$tag" "$jdk" "$tier" "$root/%s/target/$tag-reports" "$@" >"$log" 2>&1 </dev/null
        return
    fi
    in_guests "$nodes" "$tag" "$@" >"$log" 2>&1 </dev/null && return
    # Nothing in user space may bring a kernel down, and an emulator was seen to (a double fault with flags that no
    # instruction sets). So the tests get one more guest, and everybody is told.
    grep -qa 'ended before its command did' "$log" && grep -qa 'Kernel panic' "$log" || return 1
    touch "${log%/*}/again"
    for module; do
        rm -rf "$guest_out/$tag/$module"-*
    done
    in_guests "$nodes" "$tag" "$@" >>"$log" 2>&1 </dev/null
}

# in_guests NODES TAG MODULE...
in_guests() {
    local nodes=$1 tag=$2 limit_s=3600 processors=()
    shift 2
    if [ "$tier" = long ]; then
        limit_s=5400
        processors=(--processors "$long_processors")
    fi
    "$jdk/bin/java" -XX:TieredStopAtLevel=1 -Dsluice.home="$root" -jar "$built_jar" vm \
        ${processors[@]+"${processors[@]}"} --nodes "$nodes" --timeout "$limit_s" -- \
        bash "$root/tools/junit.sh" "$tag" "$jdk" "$tier" "$guest_out/$tag/%s-%n" "$@"
}

# Does what is left, and reports all.
finish_guests() {
    local before=$failed status=0 i at_once
    [ "${#jobs[@]}" -gt 0 ] || { report "the VM" 0 0 0; return; }
    at_once=$(nproc)
    [ "$tier" != long ] || at_once=$(((at_once + long_processors - 1) / long_processors))
    while [ "${#lanes[@]}" -lt "$at_once" ]; do
        open_lane
    done
    follow "${lanes[0]}" "testing in guests" "$guest_jobs/now"
    wait "${lanes[@]}" || true
    trap - EXIT
    for i in "${!jobs[@]}"; do
        # shellcheck disable=SC2086 # words
        report_job "$i" ${jobs[i]} || status=1
    done
    check_jni "$guest_log"
    if [ "$status" -ne 0 ]; then
        # A JVM that died after its last report has failed too.
        [ "$failed" -gt "$before" ] || { report "the VM" 0 1 0; tail -n 60 "$guest_log"; }
        printf 'The whole log: %s\n' "$guest_log"
    fi
}

# report_job NUMBER NODES TAG MODULE...: false if it went wrong.
report_job() {
    local folder=$guest_jobs/$1 nodes=$2 tag=$3 where=" in a guest, $3" module
    shift 3
    [ ! -e "$folder/again" ] ||
        say "the kernel of a guest panicked under tests with the tag $tag of $*; they ran once more (its words are in" \
            "the log)"
    case $nodes in
        host) where=', booting guests' ;;
        2) where=" in two guests, $tag" ;;
    esac
    all_reported "$nodes" "$tag" "$@" || tail -n 60 "$folder/log"
    for module; do
        if [ "$nodes" != host ]; then
            mkdir -p "$root/$module/target/$tag-reports"
            collect "$nodes" "$guest_out/$tag/$module" "$root/$module/target/$tag-reports"
        fi
        report_module "$module" "$tag-reports" "$(jdk_version "$jdk")$where"
    done
    cat "$folder/log" >>"$guest_log"
    [ "$(cat "$folder/status" 2>/dev/null)" = 0 ]
}

# all_reported NODES TAG MODULE...: none ended before its report was written.
all_reported() {
    local nodes=$1 tag=$2 module node
    shift 2
    for module; do
        if [ "$nodes" = host ]; then
            [ -e "$root/$module/target/$tag-reports/$reported" ] || return 1
            continue
        fi
        for ((node = 0; node < nodes; node++)); do
            [ -e "$guest_out/$tag/$module-$node/$reported" ] || return 1
        done
    done
}

# collect NODES FROM TO: the reports of each node, of which one that is missing is one that failed.
collect() {
    local node
    for ((node = 0; node < $1; node++)); do
        if ! cp "$2-$node/$reported" "$3/TEST-node$node.xml" 2>/dev/null; then
            printf '<testsuite name="node %s" tests="1" skipped="0" failures="0" errors="1">\n%s\n%s\n' "$node" \
                "<testcase name=\"the tests in guest $node\" classname=\"\">" '<error message="they left no report"/>' \
                >"$3/TEST-node$node.xml"
        fi
    done
}
