#!/bin/sh
# As MPJ Express's users start programs: mpjrun.sh -np N [-dev multicore|niodev|hybdev] [-cp CP | -jar JAR] MAIN args
set -eu
home=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
# In a checkout the command is beside this folder, elsewhere in it.
command=$home/bin/sluice
[ -x "$command" ] || command=$home/sluice
exec "$command" mpjrun "$@"
