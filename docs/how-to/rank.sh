#!/bin/sh
# One rank in each container, by number: of an indexed Job of Kubernetes (job.yaml), or of Docker Compose
# (compose.yaml). RANK and SIZE are the rank's number and how many there are, FIRST is the name at which rank 0 is
# found, PORT a port that the others reach there, SECRET a file with the job's secret. What follows is "-jar X" or "-cp
# CP MAIN", and arguments. Options are in the environment, the same in each container: the JVM's in JDK_JAVA_OPTIONS,
# Sluice's as SLUICE_TCP_TLS=on. It writes into /tmp.
set -eu
PATH=$PATH:/opt/sluice/bin
umask 077
# A mounted secret may be readable for others; a rank takes none that is.
cp "$SECRET" /tmp/sluice-secret
export SLUICE_JOB_SECRET_FILE=/tmp/sluice-secret
if [ "$RANK" = 0 ]; then
    # Some machines know their name as 127.0.1.1, at which nobody else reaches them.
    own=$(hostname -I 2>/dev/null || hostname -i)
    exec sluice run -n "$SIZE" --here 1 --listen "${own%% *}:$PORT" "$@"
fi
export SLUICE_JOB_ADDRESS="$FIRST:$PORT" SLUICE_JOB_SIZE="$SIZE" SLUICE_JOB_RANK="$RANK"
exec sluice exec "$@"
