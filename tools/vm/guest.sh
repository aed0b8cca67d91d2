# Sourced by the guest's first process after the host's root is in place, with $checkout, $directory, $node, $nodes,
# $address, $out, $mark, $command and the functions fault_at_start and faults_later set (GuestScript writes them):
# makes an RDMA device, runs the command, and reports to the host.
exec </dev/null

main() {
    mount_the_rest
    exec 7>"$(port sluice.out)" 8>"$(port sluice.err)" 9<>"$(port sluice.control)"
    try "name the guest" name_guest
    try "load the RDMA modules" load_modules
    try "make an RDMA device" make_device
    tell ready
    await go
    try "make the faults for the start" fault_at_start
    run
    if [ -e /run/fault-failed ]; then
        tell "error a fault could not be made: $(cat /run/fault-failed)"
    else
        tell "status $status"
    fi
    await off
    power_off
}

mount_the_rest() {
    mkdir -p /dev/shm /dev/pts "$out"
    mount -t tmpfs -o mode=1777 shm /dev/shm
    mount -t devpts pts /dev/pts
    mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=none out "$out"
    ln -sf /proc/self/fd /dev/fd
    ln -sf /proc/self/fd/1 /dev/stdout
    ln -sf /proc/self/fd/2 /dev/stderr
}

# port NAME: its device; nothing here makes links by name.
port() {
    local entry
    for entry in /sys/class/virtio-ports/*; do
        if [ "$(cat "$entry/name")" = "$1" ]; then
            printf '/dev/%s\n' "${entry##*/}"
            return
        fi
    done
}

tell() {
    printf '%s\n' "$*" >&9
}

await() {
    local line
    read -r line <&9
    [ "$line" = "$1" ] || power_off
}

# try WHAT FUNCTION: what it prints is on the console and, if it fails, on its way to the host.
try() {
    local said
    if ! said=$("$2" 2>&1); then
        printf 'sluice-vm: cannot %s: %s\n' "$1" "$said"
        tell "error cannot $1: ${said//$'\n'/; }"
        await off
        power_off
    fi
}

power_off() {
    sync
    echo o >/proc/sysrq-trigger
    sleep infinity
}

name_guest() {
    hostname "sluice-vm$node" &&
        printf '127.0.0.1 localhost\n%s sluice-vm%s\n' "$address" "$node" >/etc/hosts
}

load_modules() {
    local module
    mkdir -p /lib/modules && mount --bind "$checkout/.build/vm/kernel/lib/modules" /lib/modules || return
    for module in dummy sch_netem rdma_rxe rdma_ucm ib_uverbs; do
        modprobe "$module" || return
    done
}

# With other nodes the device sits on the wire to them, else on a network interface that leads nowhere.
make_device() {
    ip link set lo up || return
    if [ "$nodes" -gt 1 ]; then
        ip link set eth0 name d0 || return
    else
        ip link add d0 type dummy || return
    fi
    ip addr add "$address/24" dev d0 && ip link set d0 up && rdma link add rxe0 type rxe netdev d0 || return
    # The first GIDs come a moment later.
    local tries=100
    until [ "$(cat /sys/class/infiniband/rxe0/ports/1/gid_attrs/types/1 2>/dev/null)" = 'RoCE v2' ]; do
        [ $((tries -= 1)) -gt 0 ] || { echo 'rxe0 has no RoCE v2 GID'; return 1; }
        sleep 0.05
    done
}

# Between the command and the two ports are pipes: a port can be opened once only, and programs open /dev/stderr.
run() {
    local pumps later
    mkfifo /run/stdout /run/stderr
    forward </run/stdout >&7 9>&- &
    pumps=$!
    forward </run/stderr >&8 9>&- &
    pumps="$pumps $!"
    exec 5>/run/stdout 6>/run/stderr
    # What a fault says is why it could not be made.
    ( said=$(faults_later 2>&1) || printf '%s' "${said//$'\n'/; }" >/run/fault-failed ) 5>&- 6>&- 7>&- 8>&- 9>&- &
    later=$!
    (
        exec >&5 2>&6 5>&- 6>&- 7>&- 8>&- 9>&-
        ulimit -l unlimited
        cd "$directory" && exec "${command[@]}"
    )
    status=$?
    exec 5>&- 6>&-
    # What the command left running would keep its output open.
    end_others TERM "$pumps" && sleep 0.3 && end_others KILL "$pumps"
    # shellcheck disable=SC2086 # two numbers
    wait "$later" $pumps
}

forward() {
    cat
    # Says to the host that this was all: the ports and the control port are not ordered with each other.
    printf '%s' "$mark"
}

# end_others SIGNAL PIDS: all processes but this one, those named and their children; false if there were none.
end_others() {
    local entry pid keep=" $2 " found=1
    for entry in /proc/[0-9]*; do
        pid=${entry#/proc/}
        # The kernel's threads have no program.
        if [ "$pid" = $$ ] || [ ! -e "$entry/exe" ]; then
            continue
        fi
        case $keep in *" $pid "* | *" $(parent "$pid") "*) continue ;; esac
        kill "-$1" "$pid" 2>/dev/null && found=0
    done
    return "$found"
}

parent() {
    sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null
}

main
