#!/usr/bin/env bash
# Slurm on this machine alone, as long as a command runs: slurm.sh COMMAND. For tests, as root; nothing of it stays, and
# a Slurm that is installed here is not touched. What the command gets is SLURM_CONF, so srun and sbatch in it speak to
# this one.
set -euo pipefail
# A secret must be its owner's alone from the first moment on.
umask 077
[ $# -gt 0 ] || { echo "usage: slurm.sh COMMAND [ARGUMENT...]" >&2; exit 2; }
work=$(mktemp -d /tmp/sluice-slurm-XXXXXX)
pids=()

end() {
    local pid
    for pid in "${pids[@]}"; do
        kill "$pid" 2>/dev/null || true
    done
    for pid in "${pids[@]}"; do
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap end EXIT

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

chmod 755 "$work"
install -d -o munge -g munge -m 755 "$work/munge"
head -c 1024 /dev/urandom >"$work/munge/key"
chown munge:munge "$work/munge/key"
chmod 400 "$work/munge/key"
setpriv --reuid munge --regid munge --clear-groups \
    munged --foreground --key-file "$work/munge/key" --socket "$work/munge/socket" \
    --log-file "$work/munge/log" --pid-file "$work/munge/pid" --seed-file "$work/munge/seed" >"$work/munged.log" 2>&1 &
pids+=($!)

# TmpFS: a step's PMIx makes a folder named after user and job there, a job that dies leaves it, and the job of that
# number in the next Slurm, which counts from 1 again, could not start for it.
host=$(hostname -s)
first_port=$((20000 + $$ % 10000))
cat >"$work/slurm.conf" <<CONF
ClusterName=sluice
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$first_port
SlurmdPort=$((first_port + 1))
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
TmpFS=$work
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
JobAcctGatherType=jobacct_gather/none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=64 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
CONF
mkdir "$work/state" "$work/spool"
export SLURM_CONF=$work/slurm.conf
await munged test -S "$work/munge/socket"
slurmctld -D >"$work/ctld.out.log" 2>&1 &
pids+=($!)
slurmd -D >"$work/slurmd.out.log" 2>&1 &
pids+=($!)
is_idle() { [ "$(sinfo -h -o %T)" = idle ]; }
await "Slurm" is_idle
status=0
"$@" || status=$?
exit "$status"
