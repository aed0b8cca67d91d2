#!/bin/sh
# One rank in each container, by number: of an indexed Job of Kubernetes (job.yaml), or of Docker Compose
# (compose.yaml). RANK and SIZE are the rank's number and how many there are, FIRST is the name at which rank 0 is
# found, PORT a port that the others reach there, SECRET a file with the job's secret. What follows is the program, as
# java takes it.
set -eu
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
