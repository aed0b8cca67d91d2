#!/usr/bin/env bash
# Builds the C harness under ASan, UBSan and the leak checker and runs it. The last line is "N passed, N failed"; the
# exit status is 0 only if nothing failed. No Maven: it makes its own JNI headers.
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

"$JAVA_HOME/bin/javac" -h "$work/headers" -d "$work/classes" \
    "$here"/src/main/java/org/sluice/jni/*.java "$here"/src/main/java/org/sluice/jni/os/*.java

"$compiler" -std=gnu11 -g -O1 -fno-omit-frame-pointer -Wall -Wextra -Werror \
    -fsanitize=address,undefined -fno-sanitize-recover=undefined \
    -I"$work/headers" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" -I"$here/src/main/c/os" -I"$here/src/test/c" \
    -Wl,--wrap=posix_fallocate -o "$work/os_harness" "$here"/src/main/c/os/*.c "$here"/src/test/c/*.c

status=0
ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 \
    timeout 120 "$work/os_harness" >"$work/output" 2>&1 || status=$?
cat "$work/output"
# A sanitizer's report comes after the harness's own count, or instead of it.
if ! tail -1 "$work/output" | grep -qE '^[0-9]+ passed, [0-9]+ failed$'; then
    echo "jni/test.sh: the harness ended with status $status, by a sanitizer or a signal" >&2
    passed=$(grep -oE '^[0-9]+ passed' "$work/output" | tail -1 || true)
    echo "${passed:-0 passed}, 1 failed"
    exit 1
fi
exit "$status"
