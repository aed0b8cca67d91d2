# Sourced by ./sluice and tools/test.sh: finds or installs tools, and builds what is out of date.
# Expects $root. Sets $jdk (find_jdk, ensure_built).

state=$root/.build
built_lib=$state/lib
built_jar=$built_lib/cli/sluice-cli.jar
core_jar=$state/sluice-core.jar
stamp=$state/stamp
tests_stamp=$state/tests-stamp
archive_stamp=$state/archive-stamp
artefact_list=$root/.mvn/artefacts.sha256
jdk=

say() {
    printf 'sluice: %s\n' "$*" >&2
}

# list WORD...: with commas.
list() {
    local words
    words=$(printf ', %s' "$@")
    printf '%s\n' "${words#, }"
}

die() {
    say "error: $1"
    shift
    local line
    for line; do
        printf '        %s\n' "$line" >&2
    done
    exit 1
}

# --- JDKs -------------------------------------------------------------------------------------------------------------

# Prints the feature release of the JDK in $1: from its release file, because starting a JVM to ask takes longer.
jdk_version() {
    local version
    version=$(sed -n 's/^JAVA_VERSION="\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' "$1/release" 2>/dev/null) || true
    if [ -z "$version" ] && [ -x "$1/bin/java" ]; then
        version=$("$1/bin/java" -version 2>&1 | sed -n 's/.* version "\(1\.\)\{0,1\}\([0-9]*\).*/\2/p' | head -n 1)
    fi
    printf '%s\n' "${version:-0}"
}

# Prints candidates, best first: what the user chose, what the shell would run, what is installed.
jdk_candidates() {
    [ -z "${JAVA_HOME:-}" ] || printf '%s\n' "$JAVA_HOME"
    if command -v javac >/dev/null; then
        dirname "$(dirname "$(readlink -f "$(command -v javac)")")"
    fi
    local home
    for home in /usr/lib/jvm/* /opt/jdk* /opt/java/*; do
        [ ! -x "$home/bin/javac" ] || [ -L "$home" ] || printf '%s\n' "$home"
    done
}

# find_jdk LEAST [MOST]: sets $jdk to the first JDK whose release is in the range.
find_jdk() {
    local home version
    while read -r home; do
        [ -x "$home/bin/javac" ] || continue
        version=$(jdk_version "$home")
        if [ "$version" -ge "$1" ] && [ "$version" -le "${2:-999}" ]; then
            jdk=$home
            return 0
        fi
    done < <(jdk_candidates)
    return 1
}

# Where nothing is built a runtime will do.
find_java() {
    local home
    find_jdk 17 && return 0
    for home in "${JAVA_HOME:-}" "$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")" /usr/lib/jvm/*; do
        if [ -x "$home/bin/java" ] && [ "$(jdk_version "$home")" -ge 17 ]; then
            jdk=$home
            return 0
        fi
    done
    return 1
}

# Flags without which newer JDKs print warnings (of agents such as that of ./sluice top: 21), and which older ones
# refuse. On one line, as jcstress takes them.
quiet_flags() {
    local version flags=()
    version=$(jdk_version "$1")
    [ "$version" -lt 21 ] || flags+=(-XX:+EnableDynamicAgentLoading)
    [ "$version" -lt 24 ] || flags+=(--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED)
    [ "${#flags[@]}" -eq 0 ] || printf '%s\n' "${flags[*]}"
}

# --- packages ---------------------------------------------------------------------------------------------------------

# install_packages WHAT PACKAGE...: true if they were installed. Root installs unless SLUICE_INSTALL=no; anybody else is
# asked on a terminal, and elsewhere only told the command, unless SLUICE_INSTALL=yes (./sluice --yes).
install_packages() {
    local what=$1 as_root=()
    shift
    may_install "$what is missing" "apt-get install --no-install-recommends $*" || return 1
    say "installing $what: ${as_root[*]+${as_root[*]} }apt-get install $*"
    # The list of packages may be older than the archive, so a first failure means little.
    if ! run_apt "${as_root[@]}" -- install "$@" &&
        ! { run_apt "${as_root[@]}" -- update && run_apt "${as_root[@]}" -- install "$@"; }; then
        tail -n 15 "$state/apt.log" >&2
        say "$what could not be installed (the whole log: $state/apt.log)"
        return 1
    fi
}

# update_packages WHY: brings the list of packages up to date, if that is allowed as for install_packages.
update_packages() {
    local as_root=()
    may_install "$1" "apt-get update" || return 1
    run_apt "${as_root[@]}" -- update
}

# may_install WHY COMMAND: says why not, and what to do; sets as_root of whoever calls.
may_install() {
    local why=$1 command=$2
    case ${SLUICE_INSTALL:-} in
        '' | yes) ;;
        no)
            say "$why, and SLUICE_INSTALL=no. As root: $command"
            return 1
            ;;
        *) die "SLUICE_INSTALL is '$SLUICE_INSTALL'; it may be yes or no, or unset" ;;
    esac
    if [ -n "${SLUICE_VM_NODE:-}" ]; then
        say "$why, and a guest can install nothing. On its host: $command"
        return 1
    fi
    if ! command -v apt-get >/dev/null; then
        say "$why, and there is no apt-get here. Debian's command: $command"
        return 1
    fi
    mkdir -p "$state"
    [ "$(id -u)" -ne 0 ] || return 0
    if ! command -v sudo >/dev/null; then
        say "$why. As root: $command"
        return 1
    fi
    may_use_sudo "$why" "$command" || return 1
    as_root=(sudo)
}

# may_use_sudo WHY COMMAND
may_use_sudo() {
    local answer
    [ "${SLUICE_INSTALL:-}" != yes ] || return 0
    if [ ! -t 0 ] || [ ! -t 2 ]; then
        say "$1: sudo $2    (./sluice --yes ..., or SLUICE_INSTALL=yes, does it)"
        return 1
    fi
    say "$1."
    read -r -p "        sudo $2 ? [y/N] " answer || true
    case $answer in
        y | Y | yes) ;;
        *) return 1 ;;
    esac
}

# run_apt [sudo] -- update | install PACKAGE...
run_apt() {
    local as_root=()
    while [ "$1" != -- ]; do
        as_root+=("$1")
        shift
    done
    shift
    local options=(-q -y -o DPkg::Lock::Timeout=300)
    [ "$1" != install ] || options+=(--no-install-recommends)
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get "${options[@]}" "$@" \
        >"$state/apt.log" 2>&1 </dev/null
}

# Sets $missing to the packages that the build lacks.
find_missing_build_tools() {
    missing=()
    find_jdk 17 || missing+=("$(jdk_package jdk)")
    command -v mvn >/dev/null || missing+=(maven)
    command -v gcc >/dev/null || missing+=(gcc)
    [ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
}

# jdk_package jdk | jre: of 17, or what this system has instead.
jdk_package() {
    if [ -z "$(apt-cache search --names-only "^openjdk-17-$1-headless\$" 2>/dev/null)" ] &&
        [ -n "$(apt-cache search --names-only "^default-$1-headless\$" 2>/dev/null)" ]; then
        echo "default-$1-headless"
    else
        echo "openjdk-17-$1-headless"
    fi
}

ensure_build_tools() {
    local missing
    find_missing_build_tools
    if [ ${#missing[@]} -gt 0 ]; then
        install_packages "what the build needs" "${missing[@]}" || die "Sluice cannot be built without ${missing[*]}."
    fi
    ensure_verbs_headers
    find_jdk 17 || die "no JDK 17 or newer was found, although one was installed." "Set JAVA_HOME to one."
    tell_of_java_home
}

tell_of_java_home() {
    if [ -n "${JAVA_HOME:-}" ] && [ "$jdk" != "$JAVA_HOME" ]; then
        say "JAVA_HOME ($JAVA_HOME) is no JDK 17 or newer: using $jdk"
    fi
}

# What runs what is built; a JDK does as well.
ensure_java() {
    if ! find_java; then
        local package
        package=$(jdk_package jre)
        { install_packages "a Java runtime" "$package" && find_java; } ||
            die "no Java 17 or newer was found." "Install $package, or set JAVA_HOME."
    fi
    tell_of_java_home
}

# Sets $missing; to nothing where they are not wanted.
find_missing_verbs_headers() {
    missing=()
    [ "${BUILD_VERBS:-auto}" != off ] || return 0
    [ -e /usr/include/infiniband/verbs.h ] || missing+=(libibverbs-dev)
    [ -e /usr/include/rdma/rdma_cma.h ] || missing+=(librdmacm-dev)
}

# What the library for InfiniBand and RoCE is built with. Sluice works without it, so a system without apt-get, where
# nobody can install it for the user, goes on; jni/build.sh says so too.
ensure_verbs_headers() {
    local missing
    find_missing_verbs_headers
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "building without InfiniBand and RoCE: the headers of libibverbs and librdmacm are missing" \
            "(rdma-core-devel)"
        return 0
    fi
    install_packages "what InfiniBand and RoCE need" "${missing[@]}" ||
        die "the headers of libibverbs and librdmacm are missing." \
            "Install ${missing[*]}, or build without InfiniBand and RoCE: BUILD_VERBS=off ./sluice ..."
}

# Installs the peers that --peers asks for; a peer that a person named must be there, "all" takes what there is.
ensure_peers() {
    local wanted='' argument previous=''
    for argument; do
        case $argument in
            --peers=*) wanted=${argument#--peers=} ;;
            *) [ "$previous" != --peers ] || wanted=$argument ;;
        esac
        previous=$argument
    done
    local strict=true packages=()
    case ,$wanted, in *,all,*) strict=false ;; esac
    case ,$wanted, in
        *,all,* | *,openmpi,* | *,openmpi-ucx,* | *,openmpi-tcp,*)
            # Its compiler's wrapper comes without the headers.
            { mpicc.openmpi -E -include mpi.h -x c /dev/null && command -v mpirun.openmpi; } >/dev/null 2>&1 ||
                packages+=(openmpi-bin libopenmpi-dev)
            ;;
    esac
    case ,$wanted, in
        *,all,* | *,mpich,* | *,mpich-tcp,*)
            command -v mpicc.mpich >/dev/null && command -v mpirun.mpich >/dev/null || packages+=(mpich libmpich-dev)
            ;;
    esac
    case ,$wanted, in
        *,all,* | *,mpj-express,* | *,mpj-express-niodev,* | *,mpj-express-sluice,*)
            [ -r /usr/share/mpj/lib/starter.jar ] && [ -r /usr/share/java/log4j-1.2.jar ] || packages+=(libmpj-java)
            ;;
    esac
    case ,$wanted, in
        *,all,* | *,iperf3,*) command -v iperf3 >/dev/null || packages+=(iperf3) ;;
    esac
    # Those over verbs only where they are named: few machines can run them.
    case ,$wanted, in
        *,perftest,* | *,perftest-write,*) command -v ib_send_lat >/dev/null || packages+=(perftest) ;;
    esac
    case ,$wanted, in
        *,libfabric,*) command -v fi_pingpong >/dev/null || packages+=(libfabric-bin) ;;
    esac
    [ ${#packages[@]} -gt 0 ] || return 0
    if ! install_packages "the peers to race" "${packages[@]}"; then
        "$strict" && die "--peers $wanted needs ${packages[*]}." "Install them, or leave the peer out."
        say "racing without the peers that are missing"
    fi
}

# What the tests of other systems' launchers, and under MPJ Express, need; where they can't be had those tests are
# skipped, and say so.
ensure_launchers() {
    local missing=()
    command -v mpirun.openmpi >/dev/null || missing+=(openmpi-bin)
    compgen -G '/usr/lib/*/libpmix.so.2' >/dev/null || missing+=(libpmix2)
    compgen -G '/usr/lib/*/pmix2/include/pmix.h' >/dev/null || missing+=(libpmix-dev)
    [ -r /usr/share/java/mpj.jar ] && [ -r /usr/share/java/log4j-1.2.jar ] || missing+=(libmpj-java)
    if [ "$(id -u)" -eq 0 ]; then
        command -v munged >/dev/null || missing+=(munge)
        command -v slurmctld >/dev/null || missing+=(slurmctld)
        command -v slurmd >/dev/null || missing+=(slurmd)
        command -v srun >/dev/null || missing+=(slurm-client)
        ensure_sshd || say "testing without machines of their own networks (tools/nodes.sh)"
    fi
    [ ${#missing[@]} -eq 0 ] || install_packages "launchers and MPJ Express to test with" "${missing[@]}" ||
        say "testing without those that are missing"
}

# A browser to look at reports with; whoever wants one says if it is missing.
ensure_browser() {
    command -v chromium >/dev/null || command -v google-chrome >/dev/null ||
        install_packages "a browser to look at reports with" chromium || say "testing without a browser"
}

# Sets $sshd, for machines that tools/nodes.sh makes. Where a machine has services its package would open a port on it,
# from now on and after each boot: there a person installs it, or nobody.
ensure_sshd() {
    sshd=$(command -v sshd || echo /usr/sbin/sshd)
    [ ! -x "$sshd" ] || return 0
    if [ -d /run/systemd/system ]; then
        say "there is no sshd, and its package would open a port of this machine." \
            "As root: apt-get install openssh-server"
        return 1
    fi
    local policy=/usr/sbin/policy-rc.d status=0
    if [ -e "$policy" ]; then
        install_packages "an sshd to test with" openssh-server || status=$?
    else
        # What policy-rc.d(8) calls forbidden.
        printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy"
        install_packages "an sshd to test with" openssh-server || status=$?
        rm -f "$policy"
    fi
    return "$status"
}

# Sets nothing: whoever wants them says what is missing.
ensure_linters() {
    local missing=()
    command -v shellcheck >/dev/null || missing+=(shellcheck)
    command -v clang-format-14 >/dev/null || missing+=(clang-format-14)
    [ ${#missing[@]} -eq 0 ] || install_packages "what looks at the form of sources" "${missing[@]}"
}

# What ./sluice vm needs: packages, and in .build/vm a kernel with an initramfs.
ensure_vm() {
    local package missing=()
    [ "$(uname -m)" = x86_64 ] || die "the VM's guest is an x86_64 machine, and this is $(uname -m)."
    for package in qemu-system-x86 busybox-static cpio kmod xz-utils rdma-core libibverbs-dev librdmacm-dev \
        ibverbs-utils ibverbs-providers perftest libfabric-bin iproute2; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        install_packages "what the VM needs" "${missing[@]}" || die "The VM cannot be started without ${missing[*]}."
    fi
    bash "$root/tools/vm/image.sh"
}

# --- building ---------------------------------------------------------------------------------------------------------

# What the runnable jar is made from; tests are left out, so that editing one rebuilds nothing.
fingerprint() {
    (
        cd "$root" || exit
        uname -m
        find . \( -name target -o -name .build -o -name .git -o -path '*/src/test' -o -path '*/src/jcstress' \) \
            -prune -o \
            -type f \( -path './pom.xml' -o -path './*/pom.xml' -o -path './*/src/*' -o -path './*/build.sh' \) \
            -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
    ) | sha256sum | cut -d ' ' -f 1
}

# What the tests are made from, beside that.
tests_fingerprint() {
    (
        cd "$root" || exit
        find . \( -name target -o -name .build -o -name .git \) -prune -o \
            -type f \( -path './*/src/test/*' -o -path './*/src/jcstress/*' \) -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
    ) | sha256sum | cut -d ' ' -f 1
}

is_built() {
    # A guest runs what its host has built: it could not build, and looking for differences takes long there.
    [ -z "${SLUICE_VM_NODE:-}" ] || [ ! -f "$built_jar" ] || return 0
    [ -f "$built_jar" ] && [ -f "$stamp" ] && [ "$(head -n 1 "$stamp")" = "$(fingerprint)" ] && has_verbs_as_wanted
}

# The stamp's second line says whether what is built speaks to adapters. Where the headers are missing by now nothing is
# amiss: what is built runs without them.
has_verbs_as_wanted() {
    local missing
    case ${BUILD_VERBS:-auto}$(tail -n +2 "$stamp") in
        on | offverbs) return 1 ;;
        auto)
            find_missing_verbs_headers
            [ ${#missing[@]} -gt 0 ]
            ;;
    esac
}

# Whether a build could begin here; else sets $missing to what it lacks. Headers of verbs are left to
# ensure_verbs_headers, which says how to build without.
can_build() {
    find_missing_build_tools
    [ -w "$state" ] || missing+=("leave to write $state")
    [ ${#missing[@]} -eq 0 ]
}

# Sets $jdk; afterwards $built_jar is up to date, or it is what was built before and nothing can be built here.
ensure_built() {
    local missing
    if is_built; then
        ensure_java
    elif [ -f "$built_jar" ] && ! can_build && find_java; then
        say "running what was built before the sources changed: to build them this lacks $(list "${missing[@]}")"
    else
        ensure_build_tools
        with_lock build_unless_built
    fi
    is_archived || with_lock archive_unless_archived
}

# Runs a function while no other call builds or tests in this checkout.
with_lock() {
    mkdir -p "$state"
    make_lock "$state/lock"
    (
        if ! flock -n 9; then
            say "waiting for another ./sluice that builds or tests here"
            flock 9
        fi
        # What is built is run: no other user may write it, whatever the caller's umask says.
        umask o-w
        "$@" 9>&-
    ) 9>"$state/lock"
}

# A file to lock, for its owner alone: whoever can read it can hold it, and with it the build.
make_lock() {
    { (umask 077 && : >>"$1") && chmod 600 "$1"; } ||
        die "$1 can't be written: it is another user's. Build as its owner."
}

# Maven keeps the classes of a source that has gone, and would even run them as tests.
sweep() {
    local names
    names=$(cd "$root" && find . -name target -prune -o -type f -path './*/src/*' -print | LC_ALL=C sort)
    if [ "$names" != "$(cat "$state/names" 2>/dev/null)" ]; then
        rm -rf "$root"/*/target/classes "$root"/*/target/test-classes
        printf '%s\n' "$names" >"$state/names"
    fi
}

build_unless_built() {
    is_built || build
}

# Whether all tests are compiled as they are, and nobody has compiled since.
are_tests_built() {
    [ "$(cat "$tests_stamp" 2>/dev/null)" = "$(tests_fingerprint)" ] &&
        [ -z "$(find "$root"/{*,mpi/*}/target/{classes,test-classes} -type f -newer "$tests_stamp" \
            -print -quit 2>&1)" ]
}

build() {
    local before tests_before jar
    sweep
    before=$(fingerprint) tests_before=$(tests_fingerprint)
    # What an older version of a library left there would go along.
    rm -rf "$root/jars/target/lib"
    # Tests are compiled, not run: their jar is part of what the modules hand to each other.
    maven "building" "$state/build.log" package -DskipTests ||
        { maven_errors "$state/build.log" >&2; die "the build failed; the whole log: $state/build.log"; }
    # First: what is archived is of the old jars.
    rm -f "$state"/classes-*.jsa* "$state"/libsluice_*.so*
    # Moved, not written in place: a JVM may still be running from the old one.
    rm -rf "$built_lib.new" "$built_lib.old"
    cp -R "$root/jars/target/lib" "$built_lib.new"
    [ ! -d "$built_lib" ] || mv "$built_lib" "$built_lib.old"
    mv "$built_lib.new" "$built_lib"
    rm -rf "$built_lib.old"
    # With those of dialects, which stand behind it in archives of their own.
    for jar in "$core_jar" "$state"/sluice-{mpijava,openmpi}.jar; do
        cp "$root/jars/target/${jar##*/}" "$jar.new"
        mv "$jar.new" "$jar"
    done
    printf '%s\n' "$before" >"$stamp"
    [ ! -f "$root/jni/target/classes/org/sluice/jni/linux-$(uname -m)/libsluice_verbs.so" ] || echo verbs >>"$stamp"
    printf '%s\n' "$tests_before" >"$tests_stamp"
}

# --- archives of classes ----------------------------------------------------------------------------------------------

# Sets $homes: one JDK of each release that ranks are likely to run on.
archive_homes() {
    local first=$jdk
    homes=("$jdk")
    if find_jdk 25 && [ "$(jdk_version "$jdk")" != "$(jdk_version "$first")" ]; then
        homes+=("$jdk")
    fi
    if find_jdk 17 17 && [ "$(jdk_version "$first")" -ne 17 ]; then
        homes+=("$jdk")
    fi
    jdk=$first
}

# What an archive depends on, and its length: a JVM that maps one which was cut short is killed.
archive_fingerprint() {
    printf '%s\n' "$root"
    # In one order, whichever of the JDKs JAVA_HOME names.
    {
        stat -c '%n %s %Y' "$built_lib/sluice.jar" "$core_jar" "$state"/sluice-{mpijava,openmpi}.jar \
            "$state"/classes-*.jsa "$state"/libsluice_*.so "${homes[@]/%//lib/server/libjvm.so}" 2>/dev/null || true
    } | LC_ALL=C sort
}

is_archived() {
    local homes
    # Where nothing may be written the archives are somebody else's affair.
    [ -w "$state" ] && [ -z "${SLUICE_VM_NODE:-}" ] || return 0
    archive_homes
    [ "$(cat "$archive_stamp" 2>/dev/null)" = "$(archive_fingerprint)" ]
}

# Spares ranks most of the work of loading classes; without it a device opens 0.1 s later. What users set for their own
# JVMs and jobs stays out of it.
archive_classes() {
    local homes
    archive_homes
    rm -f "$state"/classes-*.jsa* "$state"/libsluice_*.so*
    env -i PATH="$PATH" HOME="${HOME:-/}" LANG="${LANG:-}" LC_ALL="${LC_ALL:-}" timeout 120 \
        "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp "$core_jar" \
        org.sluice.launch.ClassArchiveMaker "${homes[@]}" \
        >"$state/archive.log" 2>&1 </dev/null ||
        say "ranks will start a little slower: an archive of classes could not be made (why: $state/archive.log)"
    # Also where there is none: the next call would fail as well.
    archive_fingerprint >"$archive_stamp"
}

archive_unless_archived() {
    is_archived || archive_classes
}

# --- what Maven brings ------------------------------------------------------------------------------------------------

# Sets $repository to where Maven keeps what it gets. It is told so as well: what is compared is what is used.
find_repository() {
    local word settings text home
    home=$(getent passwd "$(id -u)" 2>/dev/null | cut -d : -f 6) || true
    home=${home:-$HOME}
    repository=
    for word in ${MAVEN_OPTS:-} ${MAVEN_ARGS:-} $(cat "$root/.mvn/jvm.config" "$root/.mvn/maven.config" 2>/dev/null); do
        case $word in -Dmaven.repo.local=*) repository=${word#*=} ;; esac
    done
    for settings in "$home/.m2/settings.xml" "$(dirname "$(readlink -f "$(command -v mvn)")")/../conf/settings.xml"; do
        if [ -n "$repository" ] || [ ! -r "$settings" ]; then
            continue
        fi
        text=$(cat "$settings")
        while [[ $text == *'<!--'*'-->'* ]]; do
            text=${text%%'<!--'*}${text#*'-->'}
        done
        [[ $text != *'<localRepository>'* ]] ||
            { text=${text#*'<localRepository>'} && repository=${text%%'</localRepository>'*}; }
    done
    repository=${repository:-$home/.m2/repository}
    repository=${repository//'${user.home}'/$home}
    while [[ $repository =~ \$\{env\.([A-Za-z_0-9]+)\} ]]; do
        word=${BASH_REMATCH[1]}
        repository=${repository//"${BASH_REMATCH[0]}"/${!word:-}}
    done
}

# artefacts ACTION...: find's, for all of them in this folder.
artefacts() {
    find . -type f \( -name '*.jar' -o -name '*.pom' \) "$@"
}

# Maven compares with a hash that comes from the same place, so that a place that lies is believed. These are our own.
# Each file is read once: what it was then is known again by its time of change, which only root's clock can put back.
check_artefacts() {
    local seen=$state/artefacts-seen now wrong
    [ -f "$artefact_list" ] && [ -d "$repository" ] || return 0
    now=$(sha256sum "$artefact_list" && cd "$repository" && pwd && artefacts -printf '%p %s %C@\n' | LC_ALL=C sort)
    [ "$now" != "$(cat "$seen" 2>/dev/null)" ] || return 0
    # Of another list, or another repository, nothing has been seen.
    [ "$(head -n 2 "$seen" 2>/dev/null)" = "$(head -n 2 <<<"$now")" ] || rm -f "$seen"
    wrong=$(cd "$repository" &&
        awk 'FILENAME == ARGV[1] { seen[$0]; next } FILENAME == "-" { if (!($0 in seen)) look[$1]; next } $2 in look' \
            "$([ -f "$seen" ] && echo "$seen" || echo /dev/null)" - "$artefact_list" <<<"$now" |
        sha256sum --check --quiet 2>/dev/null) || true
    [ -z "$wrong" ] || die "$repository has files that differ from $artefact_list:" "${wrong//: FAILED/}" \
        "They may be broken or forged: nothing was built. Delete them; Maven gets them anew."
    printf '%s\n' "$now" >"$seen"
}

# maven TITLE LOG ARGUMENT...
maven() {
    local title=$1 log=$2 status=0 repository
    shift 2
    find_repository
    check_artefacts
    JAVA_HOME=$jdk mvn -B -ntp "-Dmaven.repo.local=$repository" -Dmaven.wagon.http.retryHandler.count=3 \
        -f "$root/pom.xml" "$@" >"$log" 2>&1 </dev/null &
    local pid=$!
    trap 'kill '"$pid"' 2>/dev/null' INT TERM
    follow "$pid" "$title" "$log"
    wait "$pid" || status=$?
    trap - INT TERM
    check_artefacts
    return "$status"
}

# What a run of several jobs says of the rest.
time_left() {
    :
}

# Shows what a job is at: on a terminal in one line that changes; elsewhere that it began, and each minute if somebody
# knows what is left.
follow() {
    local pid=$1 title=$2 log=$3 began=$SECONDS at next=60
    if [ ! -t 2 ]; then
        say "$title (log: $log)"
        [ -n "$(time_left)" ] || return 0
    fi
    while kill -0 "$pid" 2>/dev/null; do
        at=$(tail -n 200 "$log" 2>/dev/null |
            sed -n 's/^\[INFO\] \(Running .*\)/\1/p; s/^\[INFO\] Building \([^ ]*\) .*/\1/p
                s/^JUnit Jupiter > \([^ ]*\) > .*:: STARTED$/\1/p' | tail -n 1) || true
        if [ -t 2 ]; then
            printf '\r\033[Ksluice: %s, %d s%s: %.60s' "$title" $((SECONDS - began)) \
                "$(time_left)" "${at:-starting}" >&2
        elif [ $((SECONDS - began)) -ge "$next" ]; then
            say "$title, $((next / 60)) min$(time_left): ${at:-starting}"
            next=$((next + 60))
        fi
        sleep 0.5
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

maven_errors() {
    grep -aE '^\[ERROR\]|^Caused by|COMPILATION ERROR' "$1" |
        grep -avE 'Help 1|re-run Maven|^\[ERROR\] *$' | head -n 60 || true
}
