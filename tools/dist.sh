#!/usr/bin/env bash
# What is handed out: ./sluice dist [DIR]. The same sources make the same bytes: entries are sorted, and have one time.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/tools/setup.sh"
. "$root/tools/arm64.sh"
. "$root/tools/address.sh"
version=$(sed -n 's|^    <version>\(.*\)</version>|\1|p' "$root/pom.xml")
stamp_iso=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</.*|\1|p' "$root/pom.xml")
stamp_s=$(date -u -d "$stamp_iso" +%s)
made=$root/jars/target
work=$state/dist-work
name=sluice-$version
# Where the project can be found, or nothing.
address=

usage() {
    cat <<TEXT
Usage: ./sluice dist [--arch x86_64[,aarch64]] [--url ADDRESS] [DIR]
Builds what is handed out, into DIR (dist in the checkout unless given); what an earlier call made there is replaced.
      --arch LIST  machines that it runs on (default: x86_64,aarch64, for which Debian's cross compiler is installed)
      --url ADDRESS
                   where the project can be found, for those who look into the POMs, the Debian package and the list of
                   what is in it: https://HOST/PATH (default: that of the clone's origin, if it is on the web)

  $name.tar.gz         bin/sluice, bin/mpjrun.sh, lib, docs and examples: runs with a Java runtime alone
  maven                        a repository that Maven and Gradle can be pointed at: org.sluice:sluice:$version
                               and sluice-coroutines, sluice-mpijava, sluice-openmpi, sluice-bom; with sources
                               and API documents
  sluice_${version}_all.deb         for Debian: /usr/bin/sluice, /usr/bin/mpjrun.sh
  $name.cdx.json       what is in it, and under which licence (CycloneDX)
  Containerfile                a two-stage image for sources of your own
  Containerfile.maven          the same for a Maven project of your own
TEXT
}

main() {
    local output='' machines=x86_64,aarch64 url
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) usage && exit 0 ;;
            --arch) machines=${2:-} && shift ;;
            --arch=*) machines=${1#*=} ;;
            --url) url=${2:-} && shift ;;
            --url=*) url=${1#*=} ;;
            -*) refuse "unknown option '$1'" ;;
            *)
                [ -z "$output" ] || refuse "one folder is enough: '$output' and '$1' were given"
                output=$1
                ;;
        esac
        [ $# -eq 0 ] || shift
    done
    case $machines in
        x86_64 | x86_64,aarch64 | aarch64,x86_64) ;;
        *) refuse "--arch is '$machines'; it may be x86_64, or x86_64,aarch64" ;;
    esac
    if [ -n "${url+given}" ]; then
        address=$(address_of "$url") ||
            refuse "--url is '$url'; it may be https://HOST/PATH or http://HOST/PATH, without a user's name"
    else
        address=$(own_address)
    fi
    [ "$(uname -m)" = x86_64 ] || die "it is built on x86-64 alone, and this is $(uname -m)."
    output=$(readlink -m "${output:-$root/dist}")
    case $output/ in
        "$root/dist/" | "$root/.build/"*) ;;
        "$root/"*) die "'$output' is in the checkout: give a folder elsewhere, or none, which is $root/dist." ;;
    esac
    # An earlier call's may be replaced; anything else of these names is somebody's.
    if [ -z "$(compgen -G "$output/sluice-*.cdx.json")" ] &&
        { [ -e "$output/maven" ] || [ -e "$output/Containerfile" ]; }; then
        die "'$output' has a maven or Containerfile that no earlier call made: give a folder for this alone."
    fi
    case $root in
        *[[:space:]]*) die "the checkout is in '$root': a path with spaces is no place to build this in." ;;
    esac
    ensure_build_tools
    command -v dpkg-deb >/dev/null || die "there is no dpkg-deb, which makes the Debian package: install dpkg."
    with_lock build_all "$machines" "$output"
    [ -n "$address" ] ||
        say "the POMs don't say where the project can be found, as this clone has no origin on the web: --url ADDRESS"
    say "made in $output:"
    (cd "$output" && find . -maxdepth 1 -mindepth 1 -printf '%f\n' | LC_ALL=C sort >&2)
}

refuse() {
    printf 'sluice dist: %s\n' "$1" >&2
    usage >&2
    exit 2
}

# build_all MACHINES OUTPUT
build_all() {
    sweep
    rm -rf "$work" "$root/jni/target/classes/org/sluice/jni/linux-aarch64"
    mkdir -p "$work"
    case $1 in *aarch64*) build_arm64 ;; esac
    # What was made by an earlier call with other machines in it would stay.
    maven "building what is handed out" "$state/dist.log" package -DskipTests -Pdist ||
        { maven_errors "$state/dist.log" >&2; die "the build failed; the whole log: $state/dist.log"; }
    # Only for those who ask: a checkout's jars are for its own machine.
    rm -rf "$root/jni/target/classes/org/sluice/jni/linux-aarch64"
    mkdir -p "$work/out"
    pack_repository "$work/out/maven"
    pack_program "$work/$name"
    archive "$work" "$name" "$work/out/$name.tar.gz"
    pack_debian "$work/debian" "$work/out"
    bill_of_materials "$made/bom.json" "$work/$name/lib" >"$work/out/$name.cdx.json"
    local each
    for each in "$root"/jars/src/main/container/*; do
        sed "s/@version@/$version/g" "$each" >"$work/out/$(basename "$each")"
    done
    find "$work/out" -exec touch -h -d "@$stamp_s" {} +
    mkdir -p "$2"
    rm -rf "$2"/maven/org/sluice/{sluice,sluice-coroutines,sluice-mpijava,sluice-openmpi,sluice-bom}
    cp -a --no-preserve=ownership "$work/out"/* "$2/"
    rm -rf "$work"
}

# --- machines that this one is not ------------------------------------------------------------------------------------

arm64_packages=(libibverbs-dev libibverbs1 librdmacm-dev librdmacm1 libnl-3-200 libnl-route-3-200)

# With Debian's cross compiler, against its packages for arm64, which are unpacked and not installed.
build_arm64() {
    local tree=$arm/root link
    command -v aarch64-linux-gnu-gcc >/dev/null ||
        install_packages "what builds for aarch64" gcc-aarch64-linux-gnu libc6-dev-arm64-cross ||
        die "without a cross compiler: ./sluice dist --arch x86_64"
    unpack_arm64 root "${arm64_packages[@]}"
    # For the headers of its C code.
    maven "compiling" "$state/dist.log" compile -pl jni ||
        { maven_errors "$state/dist.log" >&2; die "the build failed; the whole log: $state/dist.log"; }
    link=$tree/usr/lib/aarch64-linux-gnu
    JAVA_HOME=$jdk CC=aarch64-linux-gnu-gcc CPPFLAGS="-isystem $tree/usr/include" \
        LDFLAGS="-L$link -Wl,-rpath-link,$link" BUILD_VERBS=on \
        "$root/jni/build.sh" "$root/jni/target" >"$state/arm64.log" 2>&1 ||
        { tail -n 15 "$state/arm64.log" >&2; die "building for aarch64 failed; the whole log: $state/arm64.log"; }
}

# bill_of_materials FILE LIB: of the rooms, and of the libraries in lib; Maven also lists what it met on the way.
bill_of_materials() {
    perl -MJSON::PP -MFile::Find -e '
        my ($file, $lib, $address) = @ARGV;
        my (%jars, %gone);
        find(sub { $jars{$_} = 1 }, $lib);
        local $/;
        open my $in, "<", $file or die "$file: $!";
        my $json = JSON::PP->new->canonical->pretty;
        my $bill = $json->decode(<$in>);
        my $component = $bill->{metadata}{component};
        $component->{name} = "sluice";
        $component->{description} = "Message passing for the JVM.";
        $component->{externalReferences} =
            [{type => "website", url => $address}, {type => "vcs", url => "$address.git"}] if $address;
        for (@{$bill->{components}}) {
            $gone{$_->{"bom-ref"}} = 1 unless $_->{group} eq "org.sluice" || $jars{"$_->{name}-$_->{version}.jar"};
        }
        @{$bill->{components}} = grep { !$gone{$_->{"bom-ref"}} } @{$bill->{components}};
        my %needs = map { $_->{ref} => $_->{dependsOn} // [] } @{$bill->{dependencies}};
        # What is needed by way of something that is left out is needed all the same.
        sub met { map { $gone{$_} ? met(@{$needs{$_}}) : $_ } @_ }
        for (@{$bill->{dependencies}}) {
            my %seen;
            $_->{dependsOn} = [grep { !$seen{$_}++ } met(@{$needs{$_->{ref}}})];
        }
        @{$bill->{dependencies}} = grep { !$gone{$_->{ref}} } @{$bill->{dependencies}};
        my $text = $json->encode($bill);
        # Purls and references name the module that packs.
        $text =~ s/sluice-jars/sluice/g;
        print $text;' "$1" "$2" "$address"
}

# --- what programs depend on ------------------------------------------------------------------------------------------

# pack_repository DIR
pack_repository() {
    local artefact folder packages rooms=(device jni shm ib launch hybrid mpi/communicator)
    local all=(sluice sluice-coroutines sluice-mpijava sluice-openmpi sluice-bom)
    for artefact in "${all[@]}"; do
        folder=$1/org/sluice/$artefact/$version
        mkdir -p "$folder"
        with_address "$address" "$made/poms/$artefact.pom" >"$folder/$artefact-$version.pom"
    done
    folder=$1/org/sluice/sluice/$version
    cp "$made/sluice-core.jar" "$folder/sluice-$version.jar"
    pack_sources "$folder/sluice-$version-sources.jar" "${rooms[@]}"
    packages='org.sluice.device org.sluice.device.option org.sluice.hybrid.observe org.sluice.launch org.sluice.mpi'
    packages+=' org.sluice.mpi.files'
    pack_javadoc "$folder/sluice-$version-javadoc.jar" "$packages" "${rooms[@]}"
    folder=$1/org/sluice/sluice-coroutines/$version
    cp "$made/sluice-coroutines.jar" "$folder/sluice-coroutines-$version.jar"
    pack_sources "$folder/sluice-coroutines-$version-sources.jar" coroutines
    archive "$root/coroutines/target" dokka "$folder/sluice-coroutines-$version-javadoc.jar"
    for artefact in mpijava openmpi; do
        folder=$1/org/sluice/sluice-$artefact/$version
        cp "$made/sluice-$artefact.jar" "$folder/sluice-$artefact-$version.jar"
        pack_sources "$folder/sluice-$artefact-$version-sources.jar" "mpi/$artefact"
        packages=mpi
        [ "$artefact" != mpijava ] || packages='mpi mpjbuf mpjdev xdev'
        pack_javadoc "$folder/sluice-$artefact-$version-javadoc.jar" "$packages" "mpi/$artefact"
    done
    for artefact in "${all[@]}"; do
        cat >"$1/org/sluice/$artefact/maven-metadata.xml" <<XML
<?xml version="1.0" encoding="UTF-8"?>
<metadata>
  <groupId>org.sluice</groupId>
  <artifactId>$artefact</artifactId>
  <versioning>
    <release>$version</release>
    <versions>
      <version>$version</version>
    </versions>
    <lastUpdated>$(date -u -d "@$stamp_s" +%Y%m%d%H%M%S)</lastUpdated>
  </versioning>
</metadata>
XML
    done
    find "$1" -type f ! -name '*.sha1' ! -name '*.sha256' -print | while read -r artefact; do
        sha1sum "$artefact" | cut -d ' ' -f 1 | tr -d '\n' >"$artefact.sha1"
        sha256sum "$artefact" | cut -d ' ' -f 1 | tr -d '\n' >"$artefact.sha256"
    done
}

# pack_sources JAR ROOM...
pack_sources() {
    local jar=$1 room folder=$work/sources
    shift
    rm -rf "$folder"
    mkdir -p "$folder/META-INF"
    for room; do
        find "$root/$room/src/main" -mindepth 1 -maxdepth 1 \( -name java -o -name kotlin \) \
            -exec sh -c 'cp -r "$1/." "$2/"' sh {} "$folder" \;
    done
    cp "$root/LICENSE" "$root/NOTICE" "$folder/META-INF/"
    archive "$work" sources "$jar"
}

# pack_javadoc JAR PACKAGES ROOM...
pack_javadoc() {
    local jar=$1 packages=$2 room folder=$work/javadoc paths='' class_path
    shift 2
    rm -rf "$folder"
    class_path=$(cat "$root/hybrid/target/test-class-path"):$made/sluice-core.jar
    for room; do
        paths=${paths:+$paths:}$root/$room/src/main/java
    done
    # shellcheck disable=SC2086 # the packages are words
    "$jdk/bin/javadoc" -quiet -notimestamp -Xdoclint:none --release 17 -encoding UTF-8 -docencoding UTF-8 \
        -windowtitle "Sluice $version" -doctitle "Sluice $version" -d "$folder" -sourcepath "$paths" \
        -classpath "$class_path" $packages \
        >"$state/javadoc.log" 2>&1 || { tail -n 20 "$state/javadoc.log" >&2; die "javadoc failed: $state/javadoc.log"; }
    archive "$work" javadoc "$jar"
}

# archive DIR FOLDER FILE: a jar of what is in the folder, or a tar ball of the folder itself.
archive() {
    local list=$work/list
    case $3 in
        *.jar)
            find "$1/$2" -exec touch -h -d "@$stamp_s" {} +
            (cd "$1/$2" && find . -type f | sed 's|^\./||' | LC_ALL=C sort >"$list" &&
                TZ=UTC "$jdk/bin/jar" --create --no-manifest --date "$stamp_iso" --file "$3" "@$list")
            ;;
        *)
            tar -C "$1" --sort=name --mtime="@$stamp_s" --owner=0 --group=0 --numeric-owner --mode=u+rw,go+r,go-w \
                -cf - "$2" | gzip -n9 >"$3"
            ;;
    esac
}

# --- what runs by itself ----------------------------------------------------------------------------------------------

# pack_program DIR
pack_program() {
    mkdir -p "$1/bin"
    cp -r "$made/lib" "$1/lib"
    cp "$root/jars/src/main/bin/sluice" "$1/bin/sluice"
    cp -P "$root"/bin/* "$1/bin/"
    cp "$root/tools/opened-packages" "$1/lib/opened-packages"
    cp "$root/LICENSE" "$root/NOTICE" "$root/README.md" "$root/CHANGELOG.md" "$root/SECURITY.md" \
        "$root/CONTRIBUTING.md" "$1/"
    cp -r "$root/docs" "$root/examples" "$1/"
    leave_out_links "$1"
    chmod -R u=rwX,go=rX "$1"
    chmod 755 "$1/bin/sluice" "$1/bin/mpjrun.sh"
}

# leave_out_links DIR: pages link to sources as well, which aren't in it; their names stay.
leave_out_links() {
    find "$1" -name '*.md' -exec perl -i -pe '
        BEGIN { use File::Basename }
        s{\[([^\]]*)\]\((?!https?:)([^)\#]+)(\#[^)]*)?\)}
         {-e dirname($ARGV) . "/$2" ? $& : $1}ge' {} +
}

# pack_debian WORK-DIR OUTPUT
pack_debian() {
    local tree=$1 homepage=${address:+Homepage: $address$'\n'}
    mkdir -p "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/lib" "$tree/usr/share/doc/sluice"
    cp -r "$work/$name" "$tree/usr/lib/sluice"
    mv "$tree/usr/lib/sluice/docs" "$tree/usr/lib/sluice/"*.md "$tree/usr/share/doc/sluice/"
    [ ! -d "$tree/usr/lib/sluice/examples" ] || mv "$tree/usr/lib/sluice/examples" "$tree/usr/share/doc/sluice/"
    mv "$tree/usr/lib/sluice/LICENSE" "$tree/usr/share/doc/sluice/copyright"
    mv "$tree/usr/lib/sluice/NOTICE" "$tree/usr/share/doc/sluice/NOTICE"
    leave_out_links "$tree/usr/share/doc/sluice"
    ln -s ../lib/sluice/bin/sluice "$tree/usr/bin/sluice"
    # /usr/bin/mpjrun is a file of libmpj-java, beside which this is installed.
    ln -s ../lib/sluice/bin/mpjrun.sh "$tree/usr/bin/mpjrun.sh"
    cat >"$tree/DEBIAN/control" <<CONTROL
Package: sluice
Version: $version
Architecture: all
Section: java
Priority: optional
Maintainer: The Sluice authors <sluice@localhost>
Depends: default-jre-headless (>= 2:1.17) | java17-runtime-headless | java21-runtime-headless | java25-runtime-headless
Recommends: libibverbs1, librdmacm1
Suggests: libpmix2
Installed-Size: $(find "$tree/usr" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 1024) + 1 }')
${homepage}Description: message passing for JVM programs
 Passes messages between the processes and threads of JVM programs, with the
 meaning of MPI: a queue between threads of one JVM, shared memory between JVMs
 of one node, InfiniBand or RoCE between nodes.
CONTROL
    chmod -R u=rwX,go=rX "$tree"
    chmod 755 "$tree/usr/lib/sluice/bin/sluice" "$tree/usr/lib/sluice/bin/mpjrun.sh"
    find "$tree" -exec touch -h -d "@$stamp_s" {} +
    SOURCE_DATE_EPOCH=$stamp_s dpkg-deb --root-owner-group -Zxz --build "$tree" "$2/sluice_${version}_all.deb" \
        >"$state/deb.log" 2>&1 || { tail -n 5 "$state/deb.log" >&2; die "dpkg-deb failed: $state/deb.log"; }
}

main "$@"
