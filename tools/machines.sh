# Sourced by fresh-machine.sh, bare-roots.sh and dist-roots.sh: bare Debian systems in folders, made by root. Expects
# say and die, and setup.sh.

# Debian 12; who sources this may name another release.
suite=bookworm
# Where its only user lives, and so the clone and Maven's settings.
home=/root

# make_machine DIRECTORY [PACKAGE...]
make_machine() {
    local directory=$1
    shift
    if [ -e "$directory$home/.fresh-machine" ]; then
        say "using the machine in $directory again"
        return 0
    fi
    [ -z "$(ls -A "$directory" 2>/dev/null)" ] || die "$directory is not empty, and no machine of ours"
    command -v debootstrap >/dev/null || install_packages "what makes bare machines" debootstrap ||
        die "$directory can't be made without debootstrap."
    mkdir -p "$directory"
    # mktemp's folders are closed to others; as a root directory that keeps every other user from everything, and
    # packages with a user of their own from being set up.
    chmod 755 "$directory"
    say "making a bare Debian $suite in $directory"
    # shellcheck disable=SC2046 # no archive is no word
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$directory" $(archive) \
        >"$directory.log" 2>&1 || { tail -n 20 "$directory.log" >&2; die "debootstrap failed"; }
    rm -f "$directory.log"
    copy_ways_out "$directory"
    [ $# -eq 0 ] || install_in "$directory" "$@"
    touch "$directory$home/.fresh-machine"
}

# install_in DIRECTORY PACKAGE...
install_in() {
    local directory=$1
    shift
    # What is mounted goes with the inner shell's namespace.
    unshare --mount --pid --fork --kill-child --propagation private bash -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && machine=$1 && shift &&
            DEBIAN_FRONTEND=noninteractive chroot "$machine" /bin/bash -c "
                apt-get -q update && apt-get -q -y --no-install-recommends install $*"' - "$directory" "$@" \
        >"$directory.log" 2>&1 </dev/null ||
        { tail -n 20 "$directory.log" >&2; die "$* could not be installed in $directory"; }
    rm -f "$directory.log"
}

is_same_release() {
    grep -q "^VERSION_CODENAME=$suite\$" /etc/os-release
}

# The archive that this machine itself is installed from, where it is a Debian.
archive() {
    local uri='' own
    if grep -q '^ID=debian$' /etc/os-release; then
        own=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
        uri=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $own" 'Identifier: Packages' | head -n 1)
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

# in_machine DIRECTORY SHELL-COMMAND: nothing of this machine's environment goes along but how to reach the network.
in_machine() {
    local variables=() name
    for name in http_proxy https_proxy ftp_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY MAVEN_ARGS MAVEN_OPTS; do
        [ -z "${!name:-}" ] || variables+=("$name=${!name}")
    done
    env -i HOME="$home" USER=root LANG=C.UTF-8 TERM="${TERM:-dumb}" PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        ${variables[@]+"${variables[@]}"} chroot "$1" /bin/bash -c "$2"
}
