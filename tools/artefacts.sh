#!/usr/bin/env bash
# Writes .mvn/artefacts.sha256 anew, with which tools/setup.sh compares what Maven brings: artefacts.sh
# [MAVEN-ARGUMENT...], after a version in a pom has changed. It builds a copy of the checkout with an empty local
# repository, so that the list has what a build needs and nothing else. Look at its diff.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/tools/setup.sh"
work=$state/artefacts
log=$state/artefacts.log

main() {
    ensure_build_tools
    rm -rf "$work"
    mkdir -p "$work/checkout" "$work/repository"
    trap 'rm -rf "$work"' EXIT
    (cd "$root" && git ls-files -z | xargs -0 cp -a --parents -t "$work/checkout")
    : >"$log"
    say "building with an empty repository (log: $log)"
    # A test has Surefire bring what runs tests.
    { by_maven package -Pdist -Dtest=StatusTest -Dsurefire.failIfNoSpecifiedTests=false "$@" &&
        by_maven -N spotless:check checkstyle:check; } ||
        { maven_errors "$log" >&2; die "the build failed; the whole log: $log"; }
    (cd "$work/repository" && artefacts -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) >"$artefact_list.new"
    mv "$artefact_list.new" "$artefact_list"
    say "$artefact_list: $(wc -l <"$artefact_list") files"
}

by_maven() {
    JAVA_HOME=$jdk mvn -B "-Dmaven.repo.local=$work/repository" -f "$work/checkout/pom.xml" "$@" \
        >>"$log" 2>&1 </dev/null
}

main "$@"
