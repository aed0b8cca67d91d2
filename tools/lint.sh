#!/usr/bin/env bash
# Looks at the form of all sources; --fix gives them that form first, as far as a program can. Ends with a line of
# counts, which tools/test.sh reads.
# Java and Kotlin: Spotless (palantir-java-format, ktlint) and Checkstyle; C: clang-format; shell: shellcheck.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
. "$root/tools/setup.sh"
passed=0
failed=0
skipped=0
# Clang-format of another release breaks lines elsewhere.
clang_format=clang-format-14

main() {
    local fix=false
    case ${1:-} in
        '') ;;
        --fix) fix=true ;;
        *) die "lint.sh knows no '$1'." "Allowed: --fix." ;;
    esac
    ensure_build_tools
    ensure_linters || true
    if "$fix"; then
        by_maven "formatting" spotless:apply || true
        if command -v "$clang_format" >/dev/null; then
            # shellcheck disable=SC2046 # names without blanks
            "$clang_format" -i $(sources '*.c' '*.h')
        fi
    fi
    check "the form of Java and Kotlin" by_maven "looking at the form of Java and Kotlin" spotless:check
    check "Checkstyle" by_maven "running Checkstyle" checkstyle:check
    check_by "$clang_format" "the form of C" form_of_c
    check_by shellcheck "shellcheck" shell_scripts
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" -eq 0 ]
}

# check WHAT COMMAND...
check() {
    local what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        printf '%s: failed\n' "$what"
        failed=$((failed + 1))
    fi
}

# check_by PROGRAM WHAT COMMAND...: other releases of Debian have another clang-format, and who may install nothing has
# none.
check_by() {
    if command -v "$1" >/dev/null; then
        check "${@:2}"
    else
        printf '  skipped: %s: there is no %s here\n' "$2" "$1"
        skipped=$((skipped + 1))
    fi
}

# by_maven TITLE GOAL
by_maven() {
    local log=$state/lint-${2%%:*}.log
    maven "$1" "$log" -N "$2" || { grep -a '^\[\(ERROR\|WARN\)' "$log" | head -n 60; return 1; }
}

sources() {
    git -C "$root" ls-files "$@" | sed "s|^|$root/|"
}

form_of_c() {
    # shellcheck disable=SC2046 # names without blanks
    "$clang_format" --dry-run -Werror $(sources '*.c' '*.h')
}

shell_scripts() {
    # shellcheck disable=SC2046 # names without blanks
    shellcheck -x -s bash $(sources '*.sh' sluice jars/src/main/bin/sluice .ci/run)
}

main "$@"
