#!/usr/bin/env bash
# Installs and makes what ./sluice vm needs; says nothing when all is there.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
. "$root/tools/setup.sh"
ensure_vm
