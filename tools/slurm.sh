#!/usr/bin/env bash
# Slurm on this machine alone, as long as a command runs: slurm.sh COMMAND. For tests, as root; nothing of it stays, and
# a Slurm that is installed here is not touched. What the command gets is SLURM_CONF, so srun and sbatch in it speak to
# this one. slurm.sh --nodes COMMAND is one for all machines of nodes.sh, which have to run; the command runs on node 0.
set -euo pipefail
# A secret must be its owner's alone from the first moment on.
umask 077
tools=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
work=
hosts=("$(hostname -s)")
addresses=(127.0.0.1)
usage='usage: slurm.sh [--nodes] COMMAND [ARGUMENT...]'
if [ "${1:-}" = --nodes ]; then
    [ $# -gt 1 ] || { echo "$usage" >&2; exit 2; }
    shift
    config=$("$tools/nodes.sh" ssh-config)
    mapfile -t hosts < <(sed -n 's/^Host \(node[0-9]*\)$/\1/p' "$config")
    mapfile -t addresses < <(sed -n 's/^ *HostName //p' "$config")
    # They all see it.
    work=$(mktemp -d "${config%/*}/slurm-XXXXXX")
    # Of each machine's own.
    munge=/run/${work##*/}
    temporary=/tmp/${work##*/}
fi
[ $# -gt 0 ] || { echo "$usage" >&2; exit 2; }
on_nodes=${work:+true}
work=${work:-$(mktemp -d /tmp/sluice-slurm-XXXXXX)}
munge=${munge:-$work/munge}
temporary=${temporary:-$work}
pids=()

end() {
    local pid i
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    for pid in "${pids[@]}"; do
        wait "$pid" 2>/dev/null || true
    done
    for i in "${!hosts[@]}"; do
        on "$i" rm -rf "$munge" "$temporary"
    done
    rm -rf "$work"
}

fail() {
    echo "slurm.sh: $*" >&2
    tail -n 5 "$work"/*.log >&2 || true
    exit 1
}

# await WHAT COMMAND...: until it succeeds, for 20 seconds.
await() {
    local what=$1 turn
    shift
    for turn in $(seq 200); do
        "$@" >"$work/await.log" 2>&1 && return 0
        sleep 0.1
    done
    fail "$what does not start"
}

# on K COMMAND...
on() {
    if [ -n "$on_nodes" ]; then
        "$tools/nodes.sh" exec "$@"
    else
        "${@:2}"
    fi
}

# begin K LOG COMMAND...: in this shell's place, so that its number is the command's.
begin() {
    local prefix=()
    [ -z "$on_nodes" ] || prefix=("$tools/nodes.sh" exec "$1")
    "${prefix[@]}" "${@:3}" >"$work/$2$1.out.log" 2>&1 &
    pids+=($!)
}

trap end EXIT
chmod 755 "$work"
head -c 1024 /dev/urandom >"$work/key"
for i in "${!hosts[@]}"; do
    on "$i" mkdir -p "$temporary"
    on "$i" install -d -o munge -g munge -m 755 "$munge"
    on "$i" cp "$work/key" "$munge/key"
    on "$i" chown munge:munge "$munge/key"
    on "$i" chmod 400 "$munge/key"
    begin "$i" munged setpriv --reuid munge --regid munge --clear-groups \
        munged --foreground --key-file "$munge/key" --socket "$munge/socket" \
        --log-file "$munge/log" --pid-file "$munge/pid" --seed-file "$munge/seed"
done

# TmpFS: a step's PMIx makes a folder named after user and job there, a job that dies leaves it, and the job of that
# number in the next Slurm, which counts from 1 again, could not start for it.
first_port=$((20000 + $$ % 10000))
cat >"$work/slurm.conf" <<CONF
ClusterName=sluice
SlurmctldHost=${hosts[0]}(${addresses[0]})
SlurmctldPort=$first_port
SlurmdPort=$((first_port + 1))
AuthType=auth/munge
AuthInfo=socket=$munge/socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
TmpFS=$temporary
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd-%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd-%n.log
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdParameters=config_overrides
CONF
for i in "${!hosts[@]}"; do
    echo "NodeName=${hosts[i]} NodeAddr=${addresses[i]} CPUs=64 State=UNKNOWN"
    mkdir "$work/spool-${hosts[i]}"
done >>"$work/slurm.conf"
echo "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8" >>"$work/slurm.conf"
mkdir "$work/state"
export SLURM_CONF=$work/slurm.conf
for i in "${!hosts[@]}"; do
    await munged on "$i" test -S "$munge/socket"
done
begin 0 slurmctld slurmctld -D
for i in "${!hosts[@]}"; do
    begin "$i" slurmd slurmd -D
done
are_idle() { [ "$(on 0 sinfo -h -N -o %T | sort -u)" = idle ]; }
await "Slurm" are_idle
status=0
on 0 "$@" || status=$?
exit "$status"
