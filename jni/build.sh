#!/usr/bin/env bash
# Compiles the native libraries next to the classes: build.sh TARGET_DIRECTORY
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${1:?"usage: build.sh TARGET_DIRECTORY"}

shopt -s nullglob
sources=("$here"/src/main/c/os/*.c)
[ ${#sources[@]} -gt 0 ] || exit 0

library=$target/classes/org/sluice/jni/linux-x86_64/libsluice_os.so
mkdir -p "$(dirname "$library")"
gcc -std=gnu11 -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror \
    -I"$target/headers" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" \
    -o "$library" "${sources[@]}"
