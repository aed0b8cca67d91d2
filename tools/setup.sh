# Sourced by ./sluice and tools/test.sh: finds or installs tools, and builds what is out of date.
# Expects $root. Sets $jdk (find_jdk, ensure_built).

state=$root/.build
built_jar=$state/sluice.jar
core_jar=$state/sluice-core.jar
stamp=$state/stamp
tests_stamp=$state/tests-stamp
archive_stamp=$state/archive-stamp
jdk=

say() {
    printf 'sluice: %s\n' "$*" >&2
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

# Flags without which JDK 24 and newer print warnings, and which older ones refuse.
quiet_flags() {
    if [ "$(jdk_version "$1")" -ge 24 ]; then
        echo --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED
    fi
}

# --- packages ---------------------------------------------------------------------------------------------------------

# install_packages WHAT PACKAGE...: true if they were installed.
install_packages() {
    local what=$1 as_root=()
    shift
    if [ -n "${SLUICE_VM_NODE:-}" ]; then
        say "$what is missing, and a guest can install nothing. On its host: apt-get install --no-install-recommends $*"
        return 1
    fi
    if ! command -v apt-get >/dev/null; then
        say "$what is missing, and there is no apt-get here: install what your system calls $*"
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
            say "$what is missing. As root: apt-get install --no-install-recommends $*"
            return 1
        fi
        as_root=(sudo)
    fi
    say "installing $what: ${as_root[*]+${as_root[*]} }apt-get install $*"
    mkdir -p "$state"
    # The list of packages may be older than the archive, so a first failure means little.
    if ! run_apt "${as_root[@]}" -- install "$@" &&
        ! { run_apt "${as_root[@]}" -- update && run_apt "${as_root[@]}" -- install "$@"; }; then
        tail -n 15 "$state/apt.log" >&2
        say "$what could not be installed (the whole log: $state/apt.log)"
        return 1
    fi
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

ensure_build_tools() {
    local missing=()
    if ! find_jdk 17; then
        if [ -z "$(apt-cache search --names-only '^openjdk-17-jdk-headless$' 2>/dev/null)" ] &&
            [ -n "$(apt-cache search --names-only '^default-jdk-headless$' 2>/dev/null)" ]; then
            missing+=(default-jdk-headless)
        else
            missing+=(openjdk-17-jdk-headless)
        fi
    fi
    command -v mvn >/dev/null || missing+=(maven)
    command -v gcc >/dev/null || missing+=(gcc)
    [ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
    if [ ${#missing[@]} -gt 0 ]; then
        install_packages "what the build needs" "${missing[@]}" || die "Sluice cannot be built without ${missing[*]}."
    fi
    ensure_verbs_headers
    find_jdk 17 || die "no JDK 17 or newer was found, although one was installed." "Set JAVA_HOME to one."
    if [ -n "${JAVA_HOME:-}" ] && [ "$jdk" != "$JAVA_HOME" ]; then
        say "JAVA_HOME ($JAVA_HOME) is no JDK 17 or newer: using $jdk"
    fi
}

# What the library for InfiniBand and RoCE is built with. Sluice works without it, so a system without apt-get, where nobody
# can install it for the user, goes on; jni/build.sh says so too.
ensure_verbs_headers() {
    [ "${BUILD_VERBS:-auto}" != off ] || return 0
    local missing=()
    [ -e /usr/include/infiniband/verbs.h ] || missing+=(libibverbs-dev)
    [ -e /usr/include/rdma/rdma_cma.h ] || missing+=(librdmacm-dev)
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "building without InfiniBand and RoCE: the headers of libibverbs and librdmacm are missing (rdma-core-devel)"
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
        *,all,* | *,openmpi,* | *,openmpi-ucx,*)
            command -v mpicc.openmpi >/dev/null && command -v mpirun.openmpi >/dev/null ||
                packages+=(openmpi-bin libopenmpi-dev)
            ;;
    esac
    case ,$wanted, in
        *,all,* | *,mpich,*)
            command -v mpicc.mpich >/dev/null && command -v mpirun.mpich >/dev/null || packages+=(mpich libmpich-dev)
            ;;
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

# What the tests of other systems' launchers need; where they can't be had those tests are skipped, and say so.
ensure_launchers() {
    local missing=()
    command -v mpirun.openmpi >/dev/null || missing+=(openmpi-bin)
    compgen -G '/usr/lib/*/libpmix.so.2' >/dev/null || missing+=(libpmix2)
    compgen -G '/usr/lib/*/pmix2/include/pmix.h' >/dev/null || missing+=(libpmix-dev)
    if [ "$(id -u)" -eq 0 ]; then
        command -v munged >/dev/null || missing+=(munge)
        command -v slurmctld >/dev/null || missing+=(slurmctld)
        command -v slurmd >/dev/null || missing+=(slurmd)
        command -v srun >/dev/null || missing+=(slurm-client)
    fi
    [ ${#missing[@]} -eq 0 ] || install_packages "launchers to test with" "${missing[@]}" || say "testing without the launchers that are missing"
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
        cd "$root"
        uname -m
        # With these or without them, jni/build.sh builds or leaves out what speaks to adapters.
        echo "${BUILD_VERBS:-auto}" /usr/include/infiniband/verbs.[h] /usr/include/rdma/rdma_cma.[h]
        find . \( -name target -o -name .build -o -name .git -o -path '*/src/test' -o -path '*/src/jcstress' \) -prune -o \
            -type f \( -path './pom.xml' -o -path './*/pom.xml' -o -path './*/src/*' -o -path './*/build.sh' \) -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
    ) | sha256sum | cut -d ' ' -f 1
}

# What the tests are made from, beside that.
tests_fingerprint() {
    (
        cd "$root"
        find . \( -name target -o -name .build -o -name .git \) -prune -o -type f \( -path './*/src/test/*' -o -path './*/src/jcstress/*' \) -print0 |
            LC_ALL=C sort -z | xargs -0 sha256sum
    ) | sha256sum | cut -d ' ' -f 1
}

is_built() {
    # A guest runs what its host has built: it could not build, and looking for differences takes long there.
    [ -z "${SLUICE_VM_NODE:-}" ] || [ ! -f "$built_jar" ] || return 0
    [ -f "$built_jar" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(fingerprint)" ]
}

# Sets $jdk; afterwards $built_jar is up to date.
ensure_built() {
    if ! is_built || ! find_jdk 17; then
        ensure_build_tools
        with_lock build_unless_built
    fi
    is_archived || with_lock archive_unless_archived
}

# Runs a function while no other call builds or tests in this checkout.
with_lock() {
    mkdir -p "$state"
    (
        if ! flock -n 9; then
            say "waiting for another ./sluice that builds or tests here"
            flock 9
        fi
        "$@" 9>&-
    ) 9>"$state/lock"
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
        [ -z "$(find "$root"/*/target/classes "$root"/*/target/test-classes -type f -newer "$tests_stamp" -print -quit 2>&1)" ]
}

build() {
    local before tests_before
    sweep
    before=$(fingerprint) tests_before=$(tests_fingerprint)
    # Tests are compiled, not run: their jar is part of what the modules hand to each other.
    maven "building" "$state/build.log" package -DskipTests ||
        { maven_errors "$state/build.log" >&2; die "the build failed; the whole log: $state/build.log"; }
    # First: what is archived is of the old jars.
    rm -f "$state"/classes-*.jsa*
    # Moved, not written in place: a JVM may still be running from the old one.
    cp "$root/bench/target/sluice.jar" "$built_jar.new"
    mv "$built_jar.new" "$built_jar"
    cp "$root/bench/target/sluice-core.jar" "$core_jar.new"
    mv "$core_jar.new" "$core_jar"
    printf '%s\n' "$before" >"$stamp"
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
    stat -c '%n %s %Y' "$built_jar" "$core_jar" "$state"/classes-*.jsa "${homes[@]/%//lib/server/libjvm.so}" 2>/dev/null || true
}

is_archived() {
    local homes
    # Where nothing may be written the archives are somebody else's affair.
    [ -w "$state" ] && [ -z "${SLUICE_VM_NODE:-}" ] || return 0
    archive_homes
    [ "$(cat "$archive_stamp" 2>/dev/null)" = "$(archive_fingerprint)" ]
}

# Spares ranks most of the work of loading classes; without it a device opens 0.1 s later. What users set for their own JVMs and jobs stays out of it.
archive_classes() {
    local homes
    archive_homes
    rm -f "$state"/classes-*.jsa*
    env -i PATH="$PATH" HOME="${HOME:-/}" LANG="${LANG:-}" LC_ALL="${LC_ALL:-}" timeout 120 \
        "$jdk/bin/java" -XX:TieredStopAtLevel=1 -cp "$core_jar" org.sluice.hybrid.launch.ClassArchiveMaker "${homes[@]}" >"$state/archive.log" 2>&1 </dev/null ||
        say "ranks will start a little slower: an archive of classes could not be made (why: $state/archive.log)"
    # Also where there is none: the next call would fail as well.
    archive_fingerprint >"$archive_stamp"
}

archive_unless_archived() {
    is_archived || archive_classes
}

# maven TITLE LOG ARGUMENT...
maven() {
    local title=$1 log=$2 status=0
    shift 2
    JAVA_HOME=$jdk mvn -B -ntp -Dmaven.wagon.http.retryHandler.count=3 -f "$root/pom.xml" "$@" >"$log" 2>&1 </dev/null &
    local pid=$!
    trap 'kill '"$pid"' 2>/dev/null' INT TERM
    follow "$pid" "$title" "$log"
    wait "$pid" || status=$?
    trap - INT TERM
    return "$status"
}

# What a run of several jobs says of the rest.
time_left() {
    :
}

# Shows what a job is at: on a terminal in one line that changes; elsewhere that it began, and each minute if somebody knows what is left.
follow() {
    local pid=$1 title=$2 log=$3 began=$SECONDS at next=60
    if [ ! -t 2 ]; then
        say "$title (log: $log)"
        [ -n "$(time_left)" ] || return 0
    fi
    while kill -0 "$pid" 2>/dev/null; do
        at=$(tail -n 200 "$log" 2>/dev/null | sed -n 's/^\[INFO\] \(Running .*\)/\1/p; s/^\[INFO\] Building \([^ ]*\) .*/\1/p' | tail -n 1)
        if [ -t 2 ]; then
            printf '\r\033[Ksluice: %s, %d s%s: %.60s' "$title" $((SECONDS - began)) "$(time_left)" "${at:-starting}" >&2
        elif [ $((SECONDS - began)) -ge "$next" ]; then
            say "$title, $((next / 60)) min$(time_left): ${at:-starting}"
            next=$((next + 60))
        fi
        sleep 0.5
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

maven_errors() {
    grep -aE '^\[ERROR\]|^Caused by|COMPILATION ERROR' "$1" | grep -avE 'Help 1|re-run Maven|^\[ERROR\] *$' | head -n 60 || true
}
