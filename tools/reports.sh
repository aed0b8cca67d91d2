# Sourced by tools/test.sh: counts what the reports of a layer say, and tells of each test that failed or was left out.
# Expects $root. Sets $passed, $failed, $skipped and $failures, in which a line is for each layer and test that failed.

passed=0 failed=0 skipped=0 failures=

# report LAYER PASSED FAILED SKIPPED: a layer in which nothing ran has failed.
report() {
    local layer=$1 ok=$2 bad=$3 left_out=$4 words
    words="$ok passed, $bad failed, $left_out skipped"
    if [ $((ok + bad)) -eq 0 ]; then
        words='no test ran'
        bad=1
    fi
    printf '%s: %s\n' "$layer" "$words"
    passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + left_out))
    [ "$bad" -eq 0 ] || failures+="$layer: $words"$'\n'
}

# leave_out LAYER WHY
leave_out() {
    printf '%s: skipped, because %s\n' "$1" "$2"
    skipped=$((skipped + 1))
}

# report_module MODULE REPORTS RELEASE
report_module() {
    local directory=$root/$1/target/$2 tests=0 bad=0 left_out=0 line told
    while read -r line; do
        tests=$((tests + $(attribute tests "$line")))
        bad=$((bad + $(attribute failures "$line") + $(attribute errors "$line")))
        left_out=$((left_out + $(attribute skipped "$line")))
    done < <(cat "$directory"/TEST-*.xml 2>/dev/null | grep -a '<testsuite ')
    report "$1 on JDK $3" $((tests - bad - left_out)) "$bad" "$left_out"
    if [ $((bad + left_out)) -gt 0 ]; then
        # Which test failed, and why something was left out, is part of the result: nobody has the log of a build
        # server.
        told=$(tell_tests "$directory"/TEST-*.xml)
        printf '%s\n' "$told"
        failures+=$(grep -a '^  failed: ' <<<"$told" || true)
        failures=${failures%$'\n'}${failures:+$'\n'}
    fi
}

# attribute NAME XML: a number.
attribute() {
    local value=${2#* "$1"=\"}
    printf '%s' "${value%%\"*}"
}

# tell_tests REPORT...: of a failure the first lines of its message, behind its type where that is no assertion, and the
# first place of ours in its stack.
tell_tests() {
    cat "$@" | awk -F '"' -v longest=400 '
        function plain(text) {
            gsub(/([[:space:]]|&#(9|10|13|x9|x[Aa]|x[Dd]);)+/, " ", text); gsub(/^ | $/, "", text)
            gsub(/&quot;/, "\"", text); gsub(/&apos;/, "\047", text)
            gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&amp;/, "\\&", text)
            if (length(text) <= longest) return text
            text = substr(text, 1, longest)
            sub(/ [^ ]*$/, "", text)
            return text " ..."
        }
        function value(attribute) {
            if (!match($0, " " attribute "=\"[^\"]*")) return ""
            return substr($0, RSTART + length(attribute) + 3, RLENGTH - length(attribute) - 3)
        }
        function end_failure(place) {
            if (failure != "") print "  failed: " failure place
            failure = ""
        }
        /<testcase / { name = $4 == "" ? $2 : $4 "." $2 }
        /<(failure|error)[ >]/ {
            type = value("type"); sub(/.*\./, "", type)
            said = plain(value("message"))
            if (type ~ /^Assertion/ && said != "") type = ""
            failure = name ": " type (type != "" && said != "" ? ": " : "") said
        }
        failure != "" && /^[[:space:]]+at .*org\.sluice.*\(.*:[0-9]+\)/ {
            sub(/.*\(/, ""); sub(/\).*/, "")
            end_failure(" (" $0 ")")
        }
        /<\/(failure|error)>|<(failure|error)[^>]*\/>/ { end_failure("") }
        /<skipped/ {
            reason = "no reason given"
            if (/message=/) { reason = $2 }
            else if (/(Assumption failed: |TestAbortedException: |==> )/) {
                # An assumption, or a condition that says what it is before it says why.
                reason = $0
                sub(/.*(Assumption failed: |TestAbortedException: |==> )/, "", reason)
                sub(/]]>.*/, "", reason)
            }
            print "  skipped: " name ": " reason
        }'
}
