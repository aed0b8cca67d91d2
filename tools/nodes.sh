#!/usr/bin/env bash
# Several machines on this one, for tests and by hand, as root: each has its own network with an address on one switch,
# its own name, /tmp, /dev/shm and /run, its own System V memory, and an sshd. Files are shared otherwise, as over a
# network file system. Nothing of them stays after stop. Processes are seen from outside, and the numbers are the same.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/tools/setup.sh"

# A folder for each run, which its machines see too.
runs=/run/sluice-nodes
most_nodes=200
usage='usage: nodes.sh start N [--ipv4-only | --ipv6-only] [--for PID]   makes them; prints the number of the run
       nodes.sh list                       all runs, and what is in them
       nodes.sh stop [all]                 ends whatever runs in them, and removes them
       nodes.sh exec K COMMAND...          runs it on node K
       nodes.sh ssh-config                 a file for ssh -F, with which ssh nodeK asks nothing
       nodes.sh address K                  of node K, of the sort that the machines have (IPv4 of both); K may be host
       nodes.sh network K                  a file for nsenter --net=FILE: the network of node K alone
       nodes.sh down K | up K              pulls the cable of node K out, and in
       nodes.sh netem K [ARGUMENT...]      what tc-netem(8) says, on all that leaves node K; none ends it
Of several runs SLUICE_NODES names the one that is meant. A run with --for ends, with the next start, if PID has ended.'

main() {
    local verb=${1:-}
    [ $# -eq 0 ] || shift
    case $verb in
        start | list | stop | exec | ssh-config | address | network | down | up | netem) ;;
        *) die "nodes.sh knows no '$verb'." "$usage" ;;
    esac
    [ "$(id -u)" -eq 0 ] || die "nodes.sh makes networks and mounts, which only root may." "Run it as root."
    "verb_${verb/-/_}" "$@"
}

# --- which run --------------------------------------------------------------------------------------------------------

# Sets $run and $folder; ends where it isn't clear.
choose() {
    local all
    run=${SLUICE_NODES:-}
    if [ -z "$run" ]; then
        all=$(numbers)
        case $(wc -w <<<"$all") in
            0) die "no machines of nodes.sh run here." "Make some: tools/nodes.sh start 2" ;;
            1) run=$all ;;
            *) die "machines of several runs are here: $(tr '\n' ' ' <<<"$all")" "Name one: SLUICE_NODES=NUMBER" ;;
        esac
    fi
    if [[ ! $run =~ ^[0-9]+$ ]] || [ ! -d "$runs/$run" ]; then
        die "there is no run $run of nodes.sh." "There are: $(numbers | tr '\n' ' ')"
    fi
    folder=$runs/$run
}

numbers() {
    [ ! -d "$runs" ] || find "$runs" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort -n
}

# Sets $node, beside what choose sets.
choose_node() {
    choose
    node=$1
    if [[ ! $node =~ ^[0-9]+$ ]] || [ ! -e "$folder/holder$node" ]; then
        die "there is no node '$node' in run $run." "There are 0 to $(($(cat "$folder/count") - 1))."
    fi
}

network_of() {
    printf '/run/netns/sluice-%s-%s\n' "$run" "$1"
}

# in_network SWITCH-OR-NODE COMMAND...
in_network() {
    local file
    file=$(network_of "$1")
    shift
    nsenter --net="$file" "$@"
}

# --- start ------------------------------------------------------------------------------------------------------------

verb_start() {
    local count=${1:-} families='4 6' owner='' index
    if [[ ! $count =~ ^[1-9][0-9]{0,2}$ ]] || [ "$count" -gt "$most_nodes" ]; then
        die "start takes how many machines, from 1 to $most_nodes; it was given '$count'."
    fi
    shift
    while [ $# -gt 0 ]; do
        case $1 in
            --ipv4-only) families=4 ;;
            --ipv6-only) families=6 ;;
            --for)
                owner=${2:-}
                [ -d "/proc/$owner" ] || die "--for takes the number of a process; there is none '$owner'."
                shift
                ;;
            *) die "start knows no '$1'." "$usage" ;;
        esac
        shift
    done
    close_files
    needs_programs
    needs_kernel
    reap
    claim
    trap 'trap - EXIT; end_run; exit 1' EXIT INT TERM
    echo "${owner:-$$} $(began "${owner:-$$}")" >"$folder/owner"
    echo "$count" >"$folder/count"
    echo "$families" >"$folder/families"
    make_keys
    make_switch
    for ((index = 0; index < count; index++)); do
        make_node "$index"
    done
    for ((index = 0; index < count; index++)); do
        await_node "$index"
    done
    # Who is to hear of the end of what lives until stop?
    [ -n "$owner" ] || rm "$folder/owner"
    trap - EXIT INT TERM
    echo "$run"
}

# What outlives this call holds no file of the caller's, which may be a lock or a pipe that somebody reads to its end.
close_files() {
    local file
    for file in /proc/"$BASHPID"/fd/*; do
        file=${file##*/}
        [ "$file" -le 2 ] || [ "$file" -eq 255 ] || eval "exec $file>&-"
    done
}

needs_programs() {
    local missing=()
    command -v ip >/dev/null && command -v tc >/dev/null || missing+=(iproute2)
    command -v nsenter >/dev/null && command -v unshare >/dev/null || missing+=(util-linux)
    command -v ssh >/dev/null && command -v ssh-keygen >/dev/null || missing+=(openssh-client)
    [ ${#missing[@]} -eq 0 ] || install_packages "what makes machines out of namespaces" "${missing[@]}" ||
        die "there are no machines without ${missing[*]}."
    ensure_sshd || die "there is no sshd for the machines."
}

# By its own words, since a kernel may have it as a module that isn't loaded yet.
needs_kernel() {
    unshare --net --mount --uts --ipc true 2>/dev/null || die "this kernel, or this container, makes no namespaces."
    local kind
    for kind in bridge veth; do
        unshare --net ip link add probe0 type "$kind" 2>/dev/null ||
            die "this kernel has no $kind (of ip link add type $kind)." "CONFIG_${kind^^} makes it."
    done
}

# When a process began; its number alone may be another's by now.
began() {
    local stat
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    # shellcheck disable=SC2086 # words
    set -- ${stat##*) }
    echo "${20}"
}

# Ends what nobody is left to end.
reap() {
    local owner time
    for run in $(numbers); do
        folder=$runs/$run
        read -r owner time 2>/dev/null <"$folder/owner" || continue
        [ "$(began "$owner")" = "$time" ] || end_run
    done
}

# Two calls at once get two numbers, which are part of all names and addresses.
claim() {
    umask 022
    mkdir -p "$runs"
    for ((run = 0; run < 250; run++)); do
        folder=$runs/$run
        ! mkdir "$folder" 2>/dev/null || return 0
    done
    die "250 runs of nodes.sh are here already." "End them: tools/nodes.sh stop all"
}

# Addresses that nobody else has: of RFC 2544's networks for measuring, and local ones of IPv6.
address_of() {
    local number=$(($1 + 1))
    case $2 in
        4) echo "198.18.$run.$number" ;;
        6) printf 'fd53:6c75:6963:%x::%x\n' "$run" "$number" ;;
    esac
}

host_index=253

# For whoever may be root's only friend on this machine: no key of it opens anything else.
make_keys() {
    local index address family file
    (umask 077 && ssh-keygen -q -t ed25519 -N '' -C nodes -f "$folder/key" &&
        ssh-keygen -q -t ed25519 -N '' -C nodes -f "$folder/host-key")
    echo "* $(cut -d ' ' -f 1,2 "$folder/host-key.pub")" >"$folder/known-hosts"
    for ((index = 0; index < count; index++)); do
        for family in $families; do
            address=$(address_of "$index" "$family")
            printf '%s node%d\n' "$address" "$index"
        done
    done >"$folder/names"
    for ((index = 0; index < count; index++)); do
        # As Debian writes it: the own name leads to a loopback address, which is no use to anybody else.
        file=$folder/hosts$index
        printf '127.0.0.1 localhost\n127.0.1.1 node%d\n::1 localhost ip6-localhost\n' "$index" >"$file"
        grep -v " node$index\$" "$folder/names" >>"$file" || true
        printf 'Host node%d\n    HostName %s\n' "$index" "$(address_of "$index" "${families%% *}")"
    done >"$folder/ssh-config"
    cat >>"$folder/ssh-config" <<CONFIG
Host *
    User root
    IdentityFile $folder/key
    IdentitiesOnly yes
    UserKnownHostsFile $folder/known-hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    BatchMode yes
    LogLevel ERROR
CONFIG
    cat >"$folder/sshd-config" <<CONFIG
HostKey $folder/host-key
AuthorizedKeysFile $folder/key.pub
PidFile none
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
StrictModes no
UseDNS no
MaxStartups 100
MaxSessions 100
CONFIG
}

# The switch has a network of its own, so that no firewall of this machine sees what the others say to each other.
make_switch() {
    local family
    ip netns add "sluice-$run-switch"
    in_network switch sh -c '
        echo 0 2>/dev/null >/proc/sys/net/ipv6/conf/default/accept_dad
        ip link set lo up && ip link add switch type bridge mcast_snooping 0 && ip link set switch up'
    ip link add "sluice$run" type veth peer name host netns "sluice-$run-switch"
    plug host
    # An address whose uniqueness is still looked into can't be used for a second.
    echo 0 2>/dev/null >"/proc/sys/net/ipv6/conf/sluice$run/accept_dad" || true
    for family in $families; do
        give "$(address_of $host_index "$family")" "sluice$run"
    done
    ip link set "sluice$run" up
}

# give ADDRESS INTERFACE [COMMAND...]: in the network in which the command runs others.
give() {
    local words=("$1/24")
    [[ $1 != *:* ]] || words=("$1/64" nodad)
    "${@:3}" ip address add "${words[@]}" dev "$2"
}

plug() {
    in_network switch ip link set "$1" master switch up
}

make_node() {
    local index=$1 family
    ip netns add "sluice-$run-node$index"
    in_network "node$index" sh -c '
        echo 0 2>/dev/null >/proc/sys/net/ipv6/conf/default/accept_dad
        ip link set lo up'
    in_network switch ip link add "port$index" type veth peer name eth0 netns "sluice-$run-node$index"
    plug "port$index"
    for family in $families; do
        give "$(address_of "$index" "$family")" eth0 in_network "node$index"
    done
    in_network "node$index" ip link set eth0 up
    setsid nsenter --net="$(network_of "node$index")" \
        unshare --mount --uts --ipc --propagation private \
        bash -c "$(declare -f live); live \"\$@\"" node "$index" "$folder" "$sshd" \
        </dev/null >"$folder/log$index" 2>&1 &
    echo $! >"$folder/holder$index"
    # So that bash doesn't say how it ended.
    disown
}

# live INDEX FOLDER SSHD: runs as the first process of a machine, until it is killed.
live() {
    set -e
    local name=node$1 folder=$2
    hostname "$name"
    echo "$name" >"$folder/hostname$1"
    mount --bind "$folder/hosts$1" /etc/hosts
    [ ! -e /etc/hostname ] || mount --bind "$folder/hostname$1" /etc/hostname
    # Of this /sys all that tells of networks is the node's.
    mkdir "$folder/groups$1"
    mount --rbind /sys/fs/cgroup "$folder/groups$1"
    mount -t sysfs sysfs /sys
    mount --move "$folder/groups$1" /sys/fs/cgroup
    mount -t tmpfs -o mode=1777 tmpfs /dev/shm
    mount -t tmpfs -o mode=1777 tmpfs /tmp
    mkdir /tmp/nodes
    mount --rbind "${folder%/*}" /tmp/nodes
    mount -t tmpfs -o mode=755 tmpfs /run
    mkdir -p "${folder%/*}" /run/sshd /run/lock /run/user/0
    mount --move /tmp/nodes "${folder%/*}"
    rmdir /tmp/nodes
    cd /
    "$3" -f "$folder/sshd-config" -E "$folder/sshd-log$1"
    : >"$folder/ready$1"
    exec sleep infinity
}

# Until its sshd listens; it says so in a file, or why not in the log.
await_node() {
    local index=$1 turn
    for ((turn = 0; turn < 200; turn++)); do
        [ ! -e "$folder/ready$index" ] || return 0
        [ -d "/proc/$(cat "$folder/holder$index")" ] || break
        sleep 0.05
    done
    cat "$folder/log$index" "$folder/sshd-log$index" >&2 2>/dev/null || true
    die "node$index did not start."
}

# --- what runs in them ------------------------------------------------------------------------------------------------

verb_exec() {
    [ $# -ge 2 ] || die "exec takes a node and a command." "$usage"
    choose_node "$1"
    shift
    # In the same folder, if it is there too.
    exec nsenter --target "$(cat "$folder/holder$node")" --mount --uts --ipc --net \
        sh -c 'cd "$1" 2>/dev/null || cd /; shift; exec "$@"' sh "$PWD" "$@"
}

verb_ssh_config() {
    choose
    echo "$folder/ssh-config"
}

verb_address() {
    choose
    [ "${1:-}" = host ] || choose_node "${1:-}"
    families=$(cat "$folder/families")
    address_of "${node:-$host_index}" "${families%% *}"
}

verb_network() {
    choose_node "${1:-}"
    network_of "node$node"
}

# At the switch, so that the node keeps its addresses and routes, and its programs hear of nothing.
verb_down() {
    choose_node "${1:-}"
    in_network switch ip link set "port$node" down
}

verb_up() {
    choose_node "${1:-}"
    in_network switch ip link set "port$node" up
}

verb_netem() {
    choose_node "${1:-}"
    shift
    if [ $# -eq 0 ]; then
        in_network "node$node" tc qdisc del dev eth0 root
        return 0
    fi
    if ! unshare --net tc qdisc add dev lo root netem delay 1ms 2>/dev/null; then
        die "this kernel has no netem (CONFIG_NET_SCH_NETEM); guests of ./sluice vm have." \
            "Loss alone: nodes.sh exec $node iptables -A INPUT -m statistic --mode random --probability 0.01 -j DROP"
    fi
    in_network "node$node" tc qdisc replace dev eth0 root netem "$@"
}

# --- list, stop -------------------------------------------------------------------------------------------------------

verb_list() {
    local index owner
    for run in $(numbers); do
        folder=$runs/$run
        owner=$(cut -d ' ' -f 1 "$folder/owner" 2>/dev/null) || true
        printf 'run %s%s\n' "$run" "${owner:+, for process $owner}"
        families=$(cat "$folder/families" 2>/dev/null) || continue
        for ((index = 0; index < $(cat "$folder/count"); index++)); do
            printf '  node%d  %s  processes: %s\n' "$index" "$(address_of "$index" "${families%% *}")" \
                "$(processes "node$index" | tr '\n' ' ')"
        done
    done
}

verb_stop() {
    case ${1:-} in
        all)
            for run in $(numbers); do
                folder=$runs/$run
                end_run
            done
            ;;
        '')
            choose
            end_run
            ;;
        *) die "stop knows no '$1'." "$usage" ;;
    esac
}

# Of a network; also those that came in by nsenter --net alone.
processes() {
    local inode
    inode=$(stat -Lc %i "$(network_of "$1")" 2>/dev/null) || return 0
    # Of those that end meanwhile nobody has to be told.
    { stat -c %N /proc/[0-9]*/ns/net 2>/dev/null || true; } |
        sed -n "s|^'/proc/\\([0-9]*\\)/.*net:\\[$inode\\]'\$|\\1|p"
}

# However far start came, and whatever was ended already.
end_run() {
    local name turn left=''
    for name in /run/netns/sluice-"$run"-*; do
        [ -e "$name" ] || continue
        name=${name##*/}
        for ((turn = 0; turn < 200; turn++)); do
            left=$(processes "${name#sluice-"$run"-}")
            [ -n "$left" ] || break
            # shellcheck disable=SC2086 # numbers
            kill -KILL $left 2>/dev/null || true
            sleep 0.05
        done
        [ -z "$left" ] || say "these processes of $name don't end: $(tr '\n' ' ' <<<"$left")"
        ip netns del "$name"
    done
    ip link del "sluice$run" 2>/dev/null || true
    rm -rf "$folder"
    # With the last run goes what ip made for the first.
    if rmdir "$runs" 2>/dev/null && [ -d /run/netns ] && [ -z "$(ls /run/netns)" ]; then
        umount /run/netns 2>/dev/null || true
        rmdir /run/netns 2>/dev/null || true
    fi
}

main "$@"
