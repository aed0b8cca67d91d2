# Sourced by tools/test.sh: the layers of a run, which of them is on, and about how long the rest takes. Each checkout
# keeps what a layer took last. Expects $state, $tier, and setup.sh, whose time_left it replaces.

layers=()
layer=
layer_began=0
declare -A layer_titles layer_seconds

# plan LAYER SECONDS TITLE: the seconds are for a checkout in which it never ran.
plan() {
    local took
    layers+=("$1")
    layer_titles[$1]=$3
    took=$(awk -v layer="$tier.$1" '$1 == layer { print $2 }' "$state/durations" 2>/dev/null) || true
    layer_seconds[$1]=${took:-$2}
}

tell_plan() {
    local each sum=0
    for each in "${layers[@]}"; do
        sum=$((sum + layer_seconds[$each]))
    done
    say "about $(minutes "$sum") in all; by layer, as it took here last, or takes two quiet cores:"
    for each in "${layers[@]}"; do
        say "  ${layer_titles[$each]}: $(minutes "${layer_seconds[$each]}")"
    done
}

# minutes SECONDS
minutes() {
    if [ "$1" -lt 90 ]; then
        printf '%d s' "$1"
    else
        printf '%d min' $((($1 + 30) / 60))
    fi
}

# in_layer LAYER COMMAND...
in_layer() {
    begin_layer "$1"
    shift
    "$@"
}

begin_layer() {
    end_layers
    layer=$1 layer_began=$SECONDS
}

# Notes what the layer took that was on.
end_layers() {
    [ -n "$layer" ] || return 0
    mkdir -p "$state"
    {
        grep -vs "^$tier\\.$layer " "$state/durations" || true
        printf '%s %d\n' "$tier.$layer" $((SECONDS - layer_began))
    } >"$state/durations.new"
    mv "$state/durations.new" "$state/durations"
    layer=
}

# Of the whole run: what is left of this layer, and all that come after it.
time_left() {
    local each left=0 after=false
    for each in "${layers[@]}"; do
        if "$after"; then
            left=$((left + layer_seconds[$each]))
        elif [ "$each" = "$layer" ]; then
            after=true
            left=$((layer_seconds[$each] - (SECONDS - layer_began)))
            [ "$left" -gt 0 ] || left=0
        fi
    done
    printf ', about %s left in all' "$(minutes "$left")"
}

# run_followed TITLE LOG COMMAND...: what ends this ends the command with all that it started.
run_followed() {
    local title=$1 log=$2 pid status=0
    shift 2
    set -m
    "$@" >"$log" 2>&1 </dev/null &
    pid=$!
    set +m
    trap 'kill -- -'"$pid"' 2>/dev/null; exit 130' INT TERM
    follow "$pid" "$title" "$log"
    wait "$pid" || status=$?
    trap - INT TERM
    return "$status"
}
