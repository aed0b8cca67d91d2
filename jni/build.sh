#!/usr/bin/env bash
# Compiles each native library next to the classes: build.sh TARGET_DIRECTORY. CC names another compiler, for instance a
# cross compiler, and CPPFLAGS and LDFLAGS where that finds headers and libraries. BUILD_VERBS=off leaves the library
# for InfiniBand and RoCE out, on asks for it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${1:?"usage: build.sh TARGET_DIRECTORY"}
compiler=${CC:-gcc}
read -ra preprocessing <<<"${CPPFLAGS:-}"
read -ra linking <<<"${LDFLAGS:-}"
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

library_file() {
    printf '%s\n' "$target/classes/org/sluice/jni/$architecture/libsluice_$1.so"
}

# A mistake in C ends the process where it is made, instead of being somebody's way in: HardeningTest sees that each
# library has them.
hardening=(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
case $machine in
    # A library is marked as one with such checks only if all its objects have them: those that GCC adds at either end,
    # which this needs nothing of, often lack them.
    x86_64-*) hardening+=(-fcf-protection=full -nostartfiles) ;;
    aarch64-*) hardening+=(-mbranch-protection=standard) ;;
esac

# build_library NAME LIBRARY...: links to a new file and renames, so that a JVM that has the old one open keeps it
# whole. One that comes out as it was stays, and its folder untouched, or Maven would take it for news and compile all
# other modules again.
build_library() {
    local name=$1 library new=$target/libsluice_$1.so.new
    library=$(library_file "$name")
    shift
    mkdir -p "$(dirname "$library")"
    "$compiler" -std=gnu11 -O2 "${hardening[@]}" -fPIC -shared -fvisibility=hidden -Wall -Wextra -Werror \
        ${preprocessing[@]+"${preprocessing[@]}"} -I"$target/headers" \
        -I"$JAVA_HOME/include" -I"$JAVA_HOME/include/linux" \
        -Wl,-soname,"libsluice_$name.so" -Wl,--no-undefined -Wl,--as-needed -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack \
        -o "$new" "$here/src/main/c/$name"/*.c "$@" ${linking[@]+"${linking[@]}"}
    check_glibc "$new"
    if cmp -s "$new" "$library"; then
        rm "$new"
    else
        mv "$new" "$library"
    fi
}

has_verbs_headers() {
    printf '#include <infiniband/verbs.h>\n#include <rdma/rdma_cma.h>\n' |
        "$compiler" ${preprocessing[@]+"${preprocessing[@]}"} -E -x c - >/dev/null 2>&1
}

# Sluice works without this library. But where it can be had for an apt-get, its absence is more likely an oversight
# than a wish; a cross compiler seldom has the headers.
build_verbs() {
    local wanted=${BUILD_VERBS:-auto}
    case $wanted in
        auto | on) ;;
        off) forget_verbs "BUILD_VERBS=off" && return ;;
        *) fail "BUILD_VERBS is '$wanted'; it may be on, off or auto" ;;
    esac
    if has_verbs_headers; then
        build_library verbs -libverbs -lrdmacm
    elif [ "$wanted" = on ] || { [ -z "${CC:-}" ] && command -v apt-get >/dev/null; }; then
        fail "'$compiler' finds no infiniband/verbs.h and rdma/rdma_cma.h: install libibverbs-dev and librdmacm-dev" \
            "(elsewhere than on Debian and Ubuntu: rdma-core-devel), or build without InfiniBand and RoCE by" \
            "BUILD_VERBS=off"
    else
        forget_verbs "'$compiler' finds no infiniband/verbs.h and rdma/rdma_cma.h (rdma-core-devel)"
    fi
}

# An older one would load, and be wrong.
forget_verbs() {
    rm -f "$(library_file verbs)"
    echo "jni/build.sh: building without InfiniBand and RoCE: $1"
}

# Linked to a stand-in of the same soname, so that neither libpmix nor its headers are needed here: the real one is
# found where the library is loaded.
build_pmix() {
    local stand_in=$target/pmix-stand-in
    mkdir -p "$stand_in"
    sed -n 's/.*\b\(PMIx_[A-Za-z_]*\)(.*/void \1(void) {}/p' "$here/src/main/c/pmix/pmix_abi.h" >"$stand_in/stand_in.c"
    "$compiler" -w -fPIC -shared -Wl,-soname,libpmix.so.2 -o "$stand_in/libpmix.so" "$stand_in/stand_in.c"
    build_library pmix -L"$stand_in" -lpmix
}

build_library os
build_pmix
build_verbs
