#!/usr/bin/env bash
# Makes what a guest boots from, in .build/vm: Debian's kernel with its modules, and an initramfs. Needs no root.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.." && pwd)
. "$root/tools/setup.sh"

folder=$state/vm
kernel=$folder/kernel
image_stamp=$folder/image-stamp

main() {
    mkdir -p "$folder"
    # A lock of its own: the suite holds that of the checkout while it starts guests.
    make_lock "$folder/lock"
    exec 9>"$folder/lock"
    flock 9
    [ -f "$kernel/version" ] || fetch_kernel
    if [ ! -f "$folder/initramfs" ] || [ "$(cat "$image_stamp" 2>/dev/null)" != "$(made_from)" ]; then
        make_initramfs
        made_from >"$image_stamp"
    fi
}

made_from() {
    cat "$kernel/version" "$root/tools/vm/init" "$root/tools/vm/image.sh" | sha256sum
}

# --- the kernel -------------------------------------------------------------------------------------------------------

fetch_kernel() {
    local package archive version log=$state/apt.log
    package=$(newest_kernel)
    if [ -z "$package" ]; then
        update_packages "the list of packages has no kernel for the guest" || true
        package=$(newest_kernel)
    fi
    [ -n "$package" ] || die "apt offers no kernel for the guest (a linux-image-6.12.*-amd64)." \
        "It is in Debian 12's security archive and in Debian 13: is that among apt's sources?"
    say "fetching the guest's kernel, $package (about 110 MB, once)"
    rm -rf "$folder/download" "$kernel" "$kernel.new"
    mkdir -p "$folder/download" "$kernel.new"
    # apt-get download writes where it is called. The list of packages may be older than the archive.
    if ! (cd "$folder/download" && apt-get -q download "$package") >"$log" 2>&1 </dev/null &&
        ! { update_packages "the list of packages is older than the archive" &&
            (cd "$folder/download" && apt-get -q download "$package") >>"$log" 2>&1 </dev/null; }; then
        tail -n 15 "$log" >&2
        die "the guest's kernel could not be fetched (the whole log: $log)"
    fi
    archive=$(find "$folder/download" -name '*.deb' | head -n 1)
    dpkg -x "$archive" "$kernel.new"
    rm -rf "$folder/download"
    version=$(ls "$kernel.new/lib/modules")
    depmod -b "$kernel.new" "$version"
    printf '%s\n' "$version" >"$kernel.new/version"
    mv "$kernel.new" "$kernel"
}

# Prints its name, or nothing.
newest_kernel() {
    apt-cache search --names-only '^linux-image-6\.12\.[0-9].*-amd64$' 2>/dev/null |
        sed -nE 's/^(linux-image-6\.12\.[0-9]+(\+deb[0-9]+)?-amd64) .*/\1/p' | sort -V | tail -n 1
}

# --- the initramfs ----------------------------------------------------------------------------------------------------

make_initramfs() {
    local work=$folder/initramfs.work version name path
    version=$(cat "$kernel/version")
    rm -rf "$work"
    mkdir -p "$work/bin" "$work/modules" "$work/proc" "$work/sys" "$work/dev"
    cp /bin/busybox "$work/bin/busybox"
    cp "$root/tools/vm/init" "$work/init"
    chmod +x "$work/init"
    # In the order in which they need each other; what is built in is in no file.
    for name in 9pnet_virtio 9p overlay virtio_net; do
        modprobe -d "$kernel" -S "$version" --show-depends "$name" ||
            die "the kernel $version has no module $name." "Remove $kernel to fetch another."
    done | sed -n 's/^insmod \([^ ]*\).*/\1/p' | awk '!seen[$0]++' | while read -r path; do
        name=$(basename "$path")
        case $name in
            *.xz) xz -dc "$path" >"$work/modules/${name%.xz}" ;;
            *.zst) zstd -qdc "$path" >"$work/modules/${name%.zst}" ;;
            *) cp "$path" "$work/modules/$name" ;;
        esac
        name=${name%.xz}
        printf '%s\n' "${name%.zst}" >>"$work/modules/order"
    done
    (cd "$work" && find . -print0 | cpio --null --quiet -o -H newc -R 0:0 | gzip -1) >"$folder/initramfs.new"
    mv "$folder/initramfs.new" "$folder/initramfs"
    rm -rf "$work"
}

main
