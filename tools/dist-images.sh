#!/usr/bin/env bash
# The Containerfiles that ./sluice dist makes, built by an engine (buildah) upon a bare Debian of debootstrap, which
# stands for the image that they name, and run: dist-images.sh DIST. Needs root; ends with a line of counts.
set -euo pipefail
self=$(readlink -f "${BASH_SOURCE[0]}")
root=$(cd "$(dirname "$self")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/machines.sh"
made=$1
work=$root/.build/dist-images
bare=$root/.build/roots/bare
passed=0
failed=0
# No overlays, control groups or name spaces needed: a container may do this, too.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot

say() {
    printf 'dist-images: %s\n' "$*" >&2
}

die() {
    say "error: $*"
    exit 1
}

main() {
    [ "$(id -u)" -eq 0 ] || die "debootstrap and buildah need root: try sudo $self"
    command -v buildah >/dev/null || install_packages "what builds images" buildah ||
        die "images can't be built without buildah."
    rm -rf "$work"
    mkdir -p "$work"
    trap 'engine rm --all >/dev/null 2>&1; engine rmi --all --force >/dev/null 2>&1; rm -rf "$work"' EXIT
    [ -e "$bare$home/.fresh-machine" ] || rm -rf --one-file-system "$bare"
    make_machine "$bare"
    take_as_base
    local context=$work/context
    mkdir -p "$context/src/main/java"
    cp -r "$made"/sluice-*.tar.gz "$made"/Containerfile* "$made/maven" "$context/"
    cp "$root/examples/Hello.java" "$context/src/main/java/"
    sed '/<sourceDirectory>/d' "$root/examples/pom.xml" >"$context/pom.xml"
    image Containerfile sources /program
    image Containerfile.maven maven "/program/*"
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}

engine() {
    buildah --root "$work/store" --runroot "$work/run" "$@"
}

# Under the name that the files give; nothing is fetched.
take_as_base() {
    local container
    container=$(engine from scratch)
    engine add -q "$container" "$bare" / >/dev/null
    engine commit -q "$container" docker.io/library/debian:12-slim >/dev/null
    engine rm "$container" >/dev/null
}

# image FILE NAME CLASS-PATH: two ranks of Hello by what the image starts.
image() {
    local log=$root/.build/$1.log printed='' container entry
    if (cd "$work/context" && engine bud --pull-never -t "$2" -f "$1" .) >"$log" 2>&1; then
        entry=$(engine inspect --type image --format '{{index .OCIv1.Config.Entrypoint 0}}' "$2")
        container=$(engine from --pull-never "$2")
        printed=$(engine run "$container" -- "$entry" run -n 2 -cp "$3" Hello 2>&1) || true
    else
        tail -n 20 "$log" >&2
    fi
    if [ "$printed" = '3 doubles from rank 0' ]; then
        passed=$((passed + 1))
        return 0
    fi
    failed=$((failed + 1))
    say "FAILED: $1: its two ranks print: $printed"
}

main
