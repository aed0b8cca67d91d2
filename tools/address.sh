# Sourced by tools/dist.sh: where this project can be found, for what is handed out. Expects $root.

# address_of GIVEN: prints it without .git at the end; fails unless it is one of http or https with a host and a path,
# and without anybody's name.
address_of() {
    local address=${1%/}
    address=${address%.git}
    [[ $address =~ ^https?://[A-Za-z0-9.-]+(:[0-9]+)?(/[A-Za-z0-9._~%+-]+)+$ ]] || return 1
    printf '%s\n' "$address"
}

# Prints the address of this clone's origin; nothing where it has none, or one that isn't on the web.
own_address() {
    local origin
    # A copy in another clone's folder is none of that.
    [ "$(git -C "$root" rev-parse --show-toplevel 2>/dev/null)" = "$root" ] || return 0
    origin=$(git -C "$root" remote get-url origin 2>/dev/null) || return 0
    if [[ $origin =~ ^git@([A-Za-z0-9.-]+):(.*)$ ]]; then
        origin=https://${BASH_REMATCH[1]}/${BASH_REMATCH[2]}
    fi
    # Who cloned it, and by which password, is handed out to nobody.
    address_of "$(sed -E 's|^(https?://)[^/]*@|\1|' <<<"$origin")" || true
}

# with_address ADDRESS POM: prints the POM, with the address if there is one.
with_address() {
    awk -v address="$1" '
        { print }
        address && /<\/description>/ { printf "    <url>%s</url>\n", address }
        address && /<\/developers>/ {
            print "    <scm>"
            printf "        <connection>scm:git:%s.git</connection>\n", address
            printf "        <developerConnection>scm:git:%s.git</developerConnection>\n", address
            printf "        <url>%s</url>\n", address
            print "    </scm>"
        }' "$2"
}
