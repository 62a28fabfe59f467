#!/bin/sh
# Signalbox hook for Claude Code: hands one hook input to the door of the running server and prints its answer.
# Usage: hook.sh PROFILE TIMEOUT   (observe | open | closed | supervisor; the hook entry's own timeout in seconds)
# Without a server, node hook.cjs beside this file does the same work on the same, untouched stdin.

nl='
'
profile=${1:-}
case $profile in
observe | open | closed | supervisor) ;;
'') if [ -n "${CCC_SUPERVISOR_ID:-}" ]; then profile=supervisor; else profile=open; fi ;;
*)
	# Nobody knows what was meant: a guard with a slip of the pen must not become a hole.
	profile=closed
	printf '%s\n' "[overtone/hook] this hook's profile is none of observe, open, closed and supervisor: it counts as closed and denies what nobody can judge; correct the entry" >&2
	;;
esac

timeout=${2:-0}
case $timeout in
0* | *[!0-9]* | ??????*) timeout=0 ;;
esac

dir=${0%/*}
[ "$dir" != "$0" ] || dir=.

id=
[ -r /proc/sys/kernel/random/uuid ] && read -r id </proc/sys/kernel/random/uuid
[ -n "$id" ] || id="$$-$PPID-$(date +%s)"

# What a profile says when nobody could judge. Never called after something was printed.
static_answer() {
	case $profile in
	open)
		printf '%s\n' "{\"continue\":true,\"systemMessage\":\"Signalbox: $1; this call was not judged.\"}"
		;;
	closed)
		printf '%s\n' "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"Signalbox: $1; this hook denies what nobody could judge.\"}}" || unprinted
		;;
	esac
	exit 0
}

# An empty answer says nothing against the call. Anything but an object is no answer.
print_answer() {
	case $1 in
	'{'*'}') printf '%s\n' "$1" || unprinted ;;
	'') ;;
	*) [ "$profile" != closed ] || static_answer 'the answer could not be read' ;;
	esac
	exit 0
}

# Where a denial could not be printed, the exit code is the denial.
unprinted() {
	[ "$profile" != closed ] || exit 2
}

# Goes on as node on the same stdin; with --offline it does not ask the door again.
run_node() {
	if [ -f "$dir/hook.cjs" ] && command -v node >/dev/null 2>&1; then
		set -- "$dir/hook.cjs" "$@" --profile "$profile" --timeout "$timeout" --request-id "$id"
		# The project's own options of node may keep it from starting, or print before it.
		[ "$profile" = supervisor ] || unset NODE_OPTIONS
		[ "$profile" = closed ] || exec node "$@"
		# A node that breaks down must not let the call run.
		answer=$(node "$@") || static_answer 'the hook failed'
		print_answer "$answer"
	fi
	static_answer 'no server is running and node was not found'
}

# A review needs the agent's own PATH and credentials: it always runs in the hook's process.
[ "$profile" != supervisor ] || run_node

door="${OVERTONE_HOME:-$HOME/.overtone}/bridge.sock"
# A longer socket path would be cut without a word.
{ [ -S "$door" ] && [ "${#door}" -le 100 ]; } || run_node --offline
command -v curl >/dev/null 2>&1 || run_node

pid=${CLAUDE_PID:-}
case $pid in
'' | *[!0-9]*) pid=$PPID ;;
esac

set -- -H "X-Signalbox-Request: $id" -H "X-Signalbox-Profile: $profile" -H "X-Signalbox-Timeout: $timeout" \
	-H "X-Signalbox-Pid: $pid"
dropped=''
value=''
for name in CLAUDE_PROJECT_DIR CLAUDE_CONFIG_DIR CCC_SUPERVISOR_ID CCC_SUPERVISOR_HOOK CCC_CONFIG_DIR; do
	eval "value=\${$name:-}"
	case $value in
	'') continue ;;
	*[[:cntrl:]]*) dropped="$dropped,$name" ;;
	*) if [ "${#value}" -gt 4096 ]; then
		dropped="$dropped,$name"
	else
		set -- "$@" -H "X-Signalbox-Env-$name: $value"
	fi ;;
	esac
done
[ -z "$dropped" ] || set -- "$@" -H "X-Signalbox-Dropped: ${dropped#,}"

# The first answer comes at once, or node gives its own within five seconds; a ticket is polled for what is left, so that this ends before the hook's own timeout.
first=4
rest=$((timeout - 8))
if [ "$timeout" -gt 0 ] && [ "$timeout" -lt 8 ]; then first=$(((timeout + 1) / 2)); fi
[ "$rest" -ge 1 ] || rest=1

# Always in a subshell, which becomes curl: that saves a process.
ask() {
	exec curl -q -s --noproxy '*' --unix-socket "$door" -w '\n%{http_code} %{redirect_url} %{content_type}' "$@"
}

digest() {
	if command -v sha256sum >/dev/null 2>&1; then sha256sum
	elif command -v shasum >/dev/null 2>&1; then shasum -a 256
	else openssl dgst -sha256 -r; fi
}

# Whoever listens on the socket could let through what is guarded, by saying nothing. So under this profile an answer ($1,
# its status line $2) counts only with a proof that it comes from who knows the home's key.
prove() {
	[ "$profile" = closed ] || return 0
	key=
	[ -r "${door%/*}/door.key" ] && read -r key <"${door%/*}/door.key"
	[ "${#key}" -eq 64 ] || return 1
	proof=$(printf '%s\n%s\n%s\n%s' "$key" "$id" "$1" "$key" | digest)
	[ "${proof%% *}" = "${2##*; proof=}" ]
}

# -T - reads nothing before the door says that it goes on (100), so a door that is refused, dies with its queue or
# hangs leaves stdin to node. What died with the input in its hands node tells, or finds already recorded.
answer=$(ask --max-time "$first" --expect100-timeout "$first" -X POST -T - -H 'Expect: 100-continue' \
	-H 'Content-Type: application/json' "$@" http://localhost/hooks/claude-code)
failed=$?
[ "$failed" -ne 7 ] || run_node --offline
if [ "$failed" -ne 0 ]; then
	if [ "$timeout" -gt "$first" ]; then timeout=$((timeout - first)); else timeout=1; fi
	run_node --offline --asked
fi

status=${answer##*"$nl"}
body=${answer%"$nl"*}
case $status in
'200 '* | '303 '*)
	prove "$body" "$status" || static_answer 'what answers on the socket is not the server of this home, which signalbox start brings back'
	;;
esac
case $status in
'200 '*) print_answer "$body" ;;
'422 '*)
	printf '%s\n' "$body" >&2
	exit 2
	;;
'303 http://localhost/tickets/'*)
	ticket=${status#303 http://localhost/tickets/}
	ticket=${ticket%% *}
	case $ticket in
	'' | *[!A-Za-z0-9_-]*) print_answer "$body" ;;
	esac
	# What this profile guards waits only with a denial that was kept.
	[ -n "$body" ] || [ "$profile" != closed ] || static_answer 'a denial was lost'
	answer=$(ask --max-time "$rest" "$@" "http://localhost/tickets/$ticket") || print_answer "$body"
	status=${answer##*"$nl"}
	case $status in
	'200 '*) prove "${answer%"$nl"*}" "$status" && print_answer "${answer%"$nl"*}" ;;
	esac
	print_answer "$body"
	;;
esac
case $status in
'413 '*) static_answer 'the hook input is larger than 32 MiB' ;;
esac
static_answer 'the server did not answer in time'
