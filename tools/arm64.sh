# Sourced by dist.sh and emulated.sh: Debian's packages for arm64, unpacked and not installed. Expects setup.sh.

arm=$state/arm64

# unpack_arm64 NAME PACKAGE...: into $arm/NAME, unless they are there.
unpack_arm64() {
    local name=$1 package
    shift
    [ "$(cat "$arm/$name.packages" 2>/dev/null)" != "$*" ] || return 0
    rm -rf "${arm:?}/$name" "$arm/packages"
    fetch_arm64 "$arm/packages" "$@"
    for package in "$arm"/packages/*.deb; do
        dpkg -x "$package" "$arm/$name"
    done
    rm -rf "$arm/packages"
    printf '%s\n' "$*" >"$arm/$name.packages"
}

# fetch_arm64 DIR PACKAGE...: from the archives that this system's apt knows, whose lists are kept apart from its own.
fetch_arm64() {
    local folder=$1 apt
    shift
    mkdir -p "$folder" "$arm/apt/lists/partial" "$arm/apt/cache/archives/partial"
    : >"$arm/apt/status"
    apt=(apt-get -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State=$arm/apt"
        -o "Dir::State::status=$arm/apt/status" -o "Dir::Cache=$arm/apt/cache" -o Debug::NoLocking=1
        -o APT::Sandbox::User="$(id -un)")
    { "${apt[@]}" update && (cd "$folder" && "${apt[@]}" download "$@"); } \
        >"$state/arm64-packages.log" 2>&1 </dev/null ||
        { tail -n 15 "$state/arm64-packages.log" >&2; die "no packages for arm64 ($state/arm64-packages.log);" \
            "without them: ./sluice dist --arch x86_64"; }
}
