#!/usr/bin/env bash
# Shows that a checkout is all one needs: runs Sluice in a bare Debian 12 made for the purpose, with no JDK, no Maven,
# no compiler and an empty Maven repository.
set -euo pipefail
self=$(readlink -f "${BASH_SOURCE[0]}")
root=$(cd "$(dirname "$self")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/machines.sh"
bench_limit_s=600

usage() {
    cat <<'TEXT'
Usage: tools/fresh-machine.sh [--keep] [--dir DIRECTORY] [COMMAND]...
Makes a bare Debian 12 with debootstrap, clones this repository's HEAD into it, and runs each COMMAND (one word a
command: quote it) in the clone; without any, './sluice bench' and then './sluice test'. The first must be done within
10 minutes, downloads included, and none may leave anything in /dev/shm. Run it as root.
      --dir DIRECTORY  where to make it: empty, new, or kept from an earlier run (then only the clone is made anew)
      --keep           leave it there afterwards
How apt and Maven reach their archives (sources, proxies, certificates, ~/.m2/settings.xml) is taken from this machine.
TEXT
}

say() {
    printf 'fresh-machine: %s\n' "$*" >&2
}

die() {
    say "error: $*"
    exit 1
}

main() {
    local keep=false directory='' commands=()
    while [ $# -gt 0 ]; do
        case $1 in
            --keep) keep=true ;;
            --dir)
                [ $# -gt 1 ] || die "--dir needs a directory"
                directory=$2
                shift
                ;;
            -h | --help)
                usage
                exit 0
                ;;
            -*) die "unknown option '$1'; see --help" ;;
            *) commands+=("$1") ;;
        esac
        shift
    done
    [ ${#commands[@]} -gt 0 ] || commands=('./sluice bench' './sluice test')
    [ "$(id -u)" -eq 0 ] || die "debootstrap and chroot need root: try sudo $self"
    if [ -z "$directory" ]; then
        directory=$(mktemp -d /var/tmp/sluice-fresh.XXXXXX)
    fi
    if ! "$keep"; then
        # Nothing is mounted here by then: the mounts live and die with the inner shell's namespace.
        trap 'rm -rf --one-file-system "'"$directory"'"' EXIT
    fi
    make_machine "$directory"
    clone "$directory"
    unshare --mount --pid --fork --kill-child --propagation private \
        bash "$self" --inside "$directory" "${commands[@]}"
}

clone() {
    local directory=$1
    [ -z "$(git -C "$root" status --porcelain)" ] || say "what is not committed stays behind"
    rm -rf "$directory$home/sluice"
    git clone -q --no-local "$root" "$directory$home/sluice"
}

# --- inside the namespace ---------------------------------------------------------------------------------------------

# inside DIRECTORY COMMAND...
inside() {
    local directory=$1 command began took status=0 first=true
    shift
    mount -t proc proc "$directory/proc"
    mount --rbind /sys "$directory/sys"
    mount --rbind /dev "$directory/dev"
    # One of its own, so that what is left in it is ours.
    mount -t tmpfs -o mode=1777 tmpfs "$directory/dev/shm"
    for command; do
        say "$command"
        began=$SECONDS
        in_machine "$directory" "cd ~/sluice && $command" || { status=$?; say "$command: exit status $status"; break; }
        took=$((SECONDS - began))
        say "$command: done after $took s"
        if "$first" && [ "$took" -gt "$bench_limit_s" ]; then
            say "that is more than $bench_limit_s s"
            status=1
        fi
        first=false
        if [ -n "$(ls -A "$directory/dev/shm")" ]; then
            # shellcheck disable=SC2012 # for people
            say "left behind in /dev/shm: $(ls -A "$directory/dev/shm" | tr '\n' ' ')"
            status=1
        fi
    done
    return "$status"
}

if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
else
    main "$@"
fi
