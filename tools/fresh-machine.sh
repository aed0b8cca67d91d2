#!/usr/bin/env bash
# Shows that a checkout is all one needs: runs Sluice in a bare Debian 12 made for the purpose, with no JDK, no Maven,
# no compiler and an empty Maven repository.
set -euo pipefail
self=$(readlink -f "${BASH_SOURCE[0]}")
root=$(cd "$(dirname "$self")/.." && pwd)
suite=bookworm
bench_limit_s=600
# Where its only user lives, and so the clone and Maven's settings.
home=/root

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

# --- the machine ------------------------------------------------------------------------------------------------------

make_machine() {
    local directory=$1
    if [ -e "$directory$home/.fresh-machine" ]; then
        say "using the machine in $directory again"
        return 0
    fi
    [ -z "$(ls -A "$directory" 2>/dev/null)" ] || die "$directory is not empty, and no machine of ours"
    if ! command -v debootstrap >/dev/null; then
        say "installing debootstrap"
        apt-get update -q >&2
        apt-get install -q -y --no-install-recommends debootstrap >&2
    fi
    mkdir -p "$directory"
    # mktemp's folders are closed to others; as a root directory that keeps every other user from everything, and packages with a user of their own from being set up.
    chmod 755 "$directory"
    say "making a bare Debian $suite in $directory"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$directory" $(archive) \
        >"$directory.log" 2>&1 || { tail -n 20 "$directory.log" >&2; die "debootstrap failed"; }
    rm -f "$directory.log"
    copy_ways_out "$directory"
    touch "$directory$home/.fresh-machine"
}

is_same_release() {
    grep -q "^VERSION_CODENAME=$suite\$" /etc/os-release
}

# The archive that this machine itself is installed from, where it is a Debian of the same release.
archive() {
    local uri=''
    if is_same_release; then
        uri=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" 'Identifier: Packages' | head -n 1)
    fi
    # Without one debootstrap takes its own default.
    printf '%s\n' "$uri"
}

# Proxies, mirrors and certificates, which are the network's and not the project's.
copy_ways_out() {
    local directory=$1 name
    cp -L /etc/resolv.conf "$directory/etc/resolv.conf"
    cp -L /etc/hosts "$directory/etc/hosts"
    for name in apt.conf auth.conf auth.conf.d; do
        [ ! -e "/etc/apt/$name" ] || cp -rL "/etc/apt/$name" "$directory/etc/apt/"
    done
    grep -lsiE '^[^#/]*(Proxy|Acquire)' /etc/apt/apt.conf.d/* | while read -r name; do
        cp -L "$name" "$directory/etc/apt/apt.conf.d/"
    done
    if is_same_release; then
        for name in sources.list sources.list.d trusted.gpg.d keyrings; do
            [ ! -e "/etc/apt/$name" ] || cp -rL "/etc/apt/$name" "$directory/etc/apt/"
        done
        # debootstrap wrote a list of its own, which names an archive that this machine may not use.
        [ -e /etc/apt/sources.list ] || rm -f "$directory/etc/apt/sources.list"
    fi
    if [ -n "$(ls -A /usr/local/share/ca-certificates)" ]; then
        cp -rL /usr/local/share/ca-certificates "$directory/usr/local/share/"
        chroot "$directory" update-ca-certificates >/dev/null 2>&1
    fi
    for name in settings.xml settings-security.xml; do
        if [ -e "$HOME/.m2/$name" ]; then
            mkdir -p "$directory$home/.m2"
            cp -L "$HOME/.m2/$name" "$directory$home/.m2/"
        fi
    done
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
            say "left behind in /dev/shm: $(ls -A "$directory/dev/shm" | tr '\n' ' ')"
            status=1
        fi
    done
    return "$status"
}

# in_machine DIRECTORY SHELL-COMMAND: nothing of this machine's environment goes along but how to reach the network.
in_machine() {
    local variables=() name
    for name in http_proxy https_proxy ftp_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY MAVEN_ARGS MAVEN_OPTS; do
        [ -z "${!name:-}" ] || variables+=("$name=${!name}")
    done
    env -i HOME="$home" USER=root LANG=C.UTF-8 TERM="${TERM:-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        ${variables[@]+"${variables[@]}"} chroot "$1" /bin/bash -c "$2"
}

if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
else
    main "$@"
fi
