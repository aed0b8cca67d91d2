#!/usr/bin/env bash
# Compiles each native library next to the classes: build.sh TARGET_DIRECTORY. CC names another compiler, for instance a
# cross compiler.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${1:?"usage: build.sh TARGET_DIRECTORY"}
compiler=${CC:-gcc}
# The oldest C library that all of 64-bit ARM has; a newer symbol would shut out systems that are still in use.
newest_glibc=2.17

fail() {
    echo "jni/build.sh: $*" >&2
    exit 1
}

command -v "$compiler" >/dev/null || fail "no C compiler '$compiler': install gcc and libc6-dev, or set CC"
[ -f "${JAVA_HOME:-}/include/jni.h" ] || fail "no jni.h under JAVA_HOME='${JAVA_HOME:-}': point it at a JDK, not a JRE"

machine=$("$compiler" -dumpmachine)
case $machine in
    *linux*) architecture=linux-${machine%%-*} ;;
    *) fail "'$compiler' builds for $machine; the native libraries are for Linux" ;;
esac

check_glibc() {
    local library=$1 needed
    needed=$(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
    needed=${needed#GLIBC_}
    [ "$(printf '%s\n' "$needed" "$newest_glibc" | sort -V | tail -1)" = "$newest_glibc" ] \
        || fail "$library needs GLIBC_$needed, more than $newest_glibc: find the symbol with objdump -T"
}

# Links to a new file and renames: a JVM that has the old one open keeps it whole.
build_library() {
    local name=$1
    local library=$target/classes/org/sluice/jni/$architecture/libsluice_$name.so
    mkdir -p "$(dirname "$library")"
    "$compiler" -std=gnu11 -O2 -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror \
        -I"$target/headers" -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" \
        -Wl,-soname,"libsluice_$name.so" -Wl,--no-undefined -Wl,--as-needed -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack \
        -o "$library.new" "$here/src/main/c/$name"/*.c
    check_glibc "$library.new"
    mv "$library.new" "$library"
}

build_library os
