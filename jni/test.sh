#!/usr/bin/env bash
# Builds the C harnesses under ASan, UBSan and the leak checker and runs them. The last line is "N passed, N failed, N
# skipped"; the exit status is 0 only if nothing failed. No Maven: it makes its own JNI headers.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
compiler=${CC:-gcc}
if [ -z "${JAVA_HOME:-}" ]; then
    JAVA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
fi
[ -f "$JAVA_HOME/include/jni.h" ] || {
    echo "jni/test.sh: no jni.h under JAVA_HOME='$JAVA_HOME': point it at a JDK, not a JRE" >&2
    exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# build_harness NAME ARGUMENT...
build_harness() {
    local name=$1
    shift
    "$compiler" -std=gnu11 -g -O1 -fno-omit-frame-pointer -Wall -Wextra -Werror \
        -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -I"$work/headers" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" \
        -I"$here/src/main/c/$name" -I"$here/src/test/c" -o "$work/${name}_harness" \
        "$here/src/main/c/$name"/*.c "$here/src/test/c/checks.c" "$@"
}

# run_harness NAME: adds up what it counted.
run_harness() {
    local name=$1 output=$work/$1.output status=0 last
    ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 \
        timeout 120 "$work/${name}_harness" >"$output" 2>&1 || status=$?
    cat "$output"
    last=$(tail -1 "$output")
    passed=$((passed + $(count passed "$output")))
    failed=$((failed + $(count failed "$output")))
    skipped=$((skipped + $(count skipped "$output")))
    # A sanitizer's report comes after the harness's own count, or instead of it.
    if ! [[ $last =~ ^[0-9]+\ passed,\ [0-9]+\ failed$ ]] ||
        { [ "$status" -ne 0 ] && [ "$(count failed "$output")" = 0 ]; }; then
        echo "jni/test.sh: the $name harness ended with status $status, by a sanitizer or a signal" >&2
        failed=$((failed + 1))
    fi
}

# count WORD FILE: the number before the word in the harness's last line of counts.
count() {
    local number
    number=$(grep -E '^[0-9]+ (passed|skipped)' "$2" | grep -oE "[0-9]+ $1\b" | tail -1) || true
    printf '%s\n' "${number:-0}" | cut -d ' ' -f 1
}

"$JAVA_HOME/bin/javac" -h "$work/headers" -d "$work/classes" \
    "$here"/src/main/java/org/sluice/jni/*.java "$here"/src/main/java/org/sluice/jni/*/*.java

build_harness os "$here"/src/test/c/*_harness.c "$here"/src/test/c/*_checks.c -Wl,--wrap=posix_fallocate
run_harness os
build_harness pmix "$here"/src/test/c/pmix/*.c
run_harness pmix
# What is declared of libpmix without its headers, against them.
pmix_headers=$(
    for folder in /usr/lib/*/pmix2/include /usr/include; do
        [ ! -e "$folder/pmix.h" ] || { echo "$folder"; break; }
    done
)
if [ -z "$pmix_headers" ]; then
    echo "skipped: the layout of libpmix: no pmix.h here (libpmix-dev)"
    skipped=$((skipped + 1))
elif "$compiler" -std=gnu11 -Wall -Wextra -Werror -I"$pmix_headers" -I"$here/src/main/c/pmix" \
    -o "$work/pmix_layout" "$here/src/test/c/pmix/layout/pmix_layout.c" &&
    "$work/pmix_layout"; then
    passed=$((passed + 1))
else
    echo "jni/test.sh: pmix_abi.h and $pmix_headers/pmix.h differ" >&2
    failed=$((failed + 1))
fi
# Only the headers are needed: stand-ins take the place of the libraries.
if printf '#include <infiniband/verbs.h>\n#include <rdma/rdma_cma.h>\n' | "$compiler" -E -x c - >/dev/null 2>&1; then
    build_harness verbs "$here"/src/test/c/verbs/*.c
    run_harness verbs
else
    echo "skipped: the verbs harness: no infiniband/verbs.h and rdma/rdma_cma.h here (libibverbs-dev, librdmacm-dev)"
    skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
