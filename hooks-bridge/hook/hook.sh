#!/bin/sh
# Signalbox hook: hands one hook input of a coding agent to the door of the running server and prints its answer.
# Usage: hook.sh PROFILE TIMEOUT [proven | offline] [AGENT]   (observe | open | closed | supervisor; the hook entry's own
# timeout in seconds; the client, claude-code if none is named)
# With proven the entry names the run on descriptor 3 and receives the answer's proof, on a line of its own; with offline it
# has asked the door already.
# Where the system has a perl, it asks the door: the build puts its program, hook.pl, at the end of this file. Elsewhere
# curl does (decision 0040). Without a server, node hook.cjs beside this file does the same work, under the same name.

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

# What asks and proves is found in folders of the system: a program that an agent has put first in PATH could have another
# input judged under the name of this run.
path=${PATH:-}
system=/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin
PATH=$system

dir=${0%/*}
[ "$dir" != "$0" ] || dir=.

# By its path, whatever stands in PATH.
perl=/usr/bin/perl

# What names this run stands on no command line, where every process could read it.
id=
agent=claude-code
unanswered_ticket=
proven=
how=${3:-}
case $how in
proven | offline)
	proven=proven
	shift
	;;
esac
case ${3:-} in
'' | *[!a-z0-9-]*) ;;
*) agent=$3 ;;
esac
# Copilot CLI also runs the entries of Claude Code in a folder that it trusts, and only there is this variable set. Where its
# own hooks are registered these report each call already. What fails closed judges it all the same.
if [ "$agent" = claude-code ] && [ "$profile" != closed ] && [ -n "${COPILOT_PROJECT_DIR:-}" ]; then
	[ ! -f "${COPILOT_HOME:-$HOME/.copilot}/hooks/signalbox.json" ] || exit 0
fi
if [ "$proven" = proven ]; then
	read -r id <&3
	exec 3<&-
elif [ -r /proc/sys/kernel/random/uuid ]; then
	read -r id </proc/sys/kernel/random/uuid
fi
[ -n "$id" ] || id="$$-$PPID-$(date +%s)"

# What a profile says when nobody could judge. Never called after something was printed.
static_answer() {
	if [ "$agent" != claude-code ]; then
		# Each client reads another shape. This they all read in the same way: silence lets pass, 2 with words denies.
		printf '%s\n' "Signalbox: $1." >&2
		[ "$profile" != closed ] || exit 2
		exit 0
	fi
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

# An empty answer says nothing against the call. Anything but an object is no answer. $2 is its proof.
print_answer() {
	case $1 in
	'{'*'}' | '') [ "$proven" != proven ] || set -- "$1$nl$2" ;;
	*) [ "$profile" != closed ] || static_answer 'the answer could not be read' ;;
	esac
	case $1 in
	'{'* | "$nl"*) printf '%s\n' "$1" || unprinted ;;
	esac
	# A person may have let it run in the very moment in which no answer came: the server learns by this that it was too late.
	[ -z "$unanswered_ticket" ] || mkdir "$home/denied/$unanswered_ticket" 2>/dev/null
	exit 0
}

# Where a denial could not be printed, the exit code is the denial.
unprinted() {
	[ "$profile" != closed ] || exit 2
}

digest() {
	if command -v sha256sum >/dev/null 2>&1; then sha256sum
	elif command -v shasum >/dev/null 2>&1; then shasum -a 256
	else openssl dgst -sha256 -r; fi
}

home="${OVERTONE_HOME:-$HOME/.overtone}"

# Whether $2 is the proof of the answer $1 to this run, by who knows the home's key and came to the end of its work. Silence
# needs one only where it must not let a call run. The entry that asks for proofs looks at them itself.
prove() {
	[ "$proven" != proven ] || return 0
	[ "$profile" = closed ] || [ -n "$1" ] || return 0
	key=
	[ -r "$home/door.key" ] && read -r key <"$home/door.key"
	# Where no server ever ran there is no key yet: then the proof says no more than that node came to its end.
	[ "${#key}" -eq 64 ] || key=
	[ -n "$key$3" ] || return 1
	due=$(printf '%s\n%s\n%s\n%s' "$key" "$id" "$1" "$key" | digest)
	[ -n "$2" ] && [ "${due%% *}" = "$2" ]
}

# Goes on as node on the same stdin; with --offline it does not ask the door again, with --ended its stdin surely ends.
run_node() {
	# The one that ran init, or the one of the person's PATH.
	PATH=$path
	node=$dir/node
	[ -x "$node" ] || node=$(command -v node 2>/dev/null)
	if [ -f "$dir/hook.cjs" ] && [ -n "$node" ]; then
		set -- "$dir/hook.cjs" "$@" --profile "$profile" --timeout "$timeout" --agent "$agent" --request-fd 3
		# The project's own options of node may keep it from starting, or print before it.
		[ "$profile" = supervisor ] || unset NODE_OPTIONS
		# To other clients the exit code of a node that breaks down may be a denial.
		if [ "$profile" != closed ] && [ "$agent" = claude-code ]; then
			exec "$node" "$@" 3<<-END
				$id
			END
		fi
		# A node that breaks down, or does nothing because its file is cut off, must not let the call run.
		answer=$(
			exec "$node" "$@" --prove 3<<-END
				$id
			END
		) || static_answer 'the hook failed'
		PATH=$system
		prove "${answer%"$nl"*}" "${answer##*"$nl"}" node || static_answer 'the hook did not come to its end'
		print_answer "${answer%"$nl"*}" "${answer##*"$nl"}"
	fi
	static_answer 'no server is running and node was not found'
}

# Always in a subshell, which becomes perl: that saves a process. The agent's environment changes nothing for it.
run_perl() {
	unset PERL5OPT PERL5LIB PERLLIB PERL5DB PERLIO PERLIO_DEBUG PERL_UNICODE PERL_SIGNALS PERL_HASH_SEED
	export LC_ALL=C
	exec "$perl" -f "$@" 2>/dev/null
}

# The input is what comes within half of the time, or 10 seconds, and one byte more than a door takes at most.
patience=10
if [ "$timeout" -gt 0 ] && [ "$timeout" -lt 20 ]; then patience=$(((timeout + 1) / 2)); fi

# What can bound the input. Looked for only where it is needed: PATH may be long.
find_bound() {
	if command -v timeout >/dev/null 2>&1; then bound=timeout
	elif [ -x "$perl" ]; then bound=perl
	else return 1; fi
}

# Always in a subshell, which becomes the program.
read_input() {
	set -- "$patience" head -c 33554433
	if [ "$bound" = timeout ]; then exec timeout "$@"; fi
	run_perl -e 'alarm shift; exec @ARGV' "$@"
}

# Goes on as node, with stdin as nobody has read it yet. What waits for a socket with a bound costs node 8 ms to load: where
# another program bounds it, node only reads. A zero byte at the end says that the end did not come.
hand_over() {
	find_bound || run_node "$@"
	{ (read_input) || printf '\0'; } | run_node "$@" --ended
	exit $?
}

# A review needs the agent's own PATH and credentials: it always runs in the hook's process.
[ "$profile" != supervisor ] || run_node
[ "$how" != offline ] || hand_over --offline

door="$home/bridge.sock"
# A longer socket path would be cut without a word.
{ [ -S "$door" ] && [ "${#door}" -le 100 ]; } || hand_over --offline

pid=${CLAUDE_PID:-}
case $pid in
'' | *[!0-9]*) pid=$PPID ;;
esac

# Ends as $1 says, whoever asked the door: $input, $body, $proof and $unanswered_ticket are what was found out.
end_as() {
	case $1 in
	answer) print_answer "$body" "$proof" ;;
	refusal)
		printf '%s\n' "$body" >&2
		exit 2
		;;
	kept)
		# Node judges the kept input in what is left of the time.
		printf '%s' "$input" | run_node --offline --ended
		exit $?
		;;
	impostor) static_answer 'what answers on the socket is not the server of this home, which signalbox start brings back' ;;
	lost) static_answer 'a denial was lost' ;;
	large) static_answer 'the hook input is larger than 32 MiB' ;;
	*) static_answer 'the server did not answer in time' ;;
	esac
}

# Seconds on a clock that nobody sets; always 0 where there is none.
clock() {
	now=0
	[ ! -r /proc/uptime ] || read -r now _ </proc/uptime
	now=${now%%.*}
}
clock
began=$now

# A perl that breaks down, for whatever reason, has not named this run: then the rest of this file does all of it.
ask_by_perl() {
	said=$(
		run_perl -x "$0" "$profile" "$timeout" "$patience" "$agent" "$home" "$pid" "$proven" 3<<-END
			$id
		END
	) || return
	first=${said%%"$nl"*}
	body=${said#"$first"}
	body=${body#"$nl"}
	case $first in
	"$id "*) ;;
	*) return ;;
	esac
	# The words of this line: see hook.pl.
	# shellcheck disable=SC2086
	set -- ${first#"$id "}
	case $1 in
	answer) proof=${2:-} unanswered_ticket=${3:-} ;;
	kept) input=$body timeout=$2 ;;
	esac
	end_as "$1"
}
[ ! -x "$perl" ] || ask_by_perl

command -v curl >/dev/null 2>&1 || hand_over

# On a descriptor: what stands on curl's command line every process may read.
headers="Content-Type: application/json
Expect:
X-Signalbox-Request: $id
X-Signalbox-Profile: $profile
X-Signalbox-Timeout: $timeout
X-Signalbox-Pid: $pid"
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
		headers="$headers${nl}X-Signalbox-Env-$name: $value"
	fi ;;
	esac
done
[ -z "$dropped" ] || headers="$headers${nl}X-Signalbox-Dropped: ${dropped#,}"

# Always in a subshell, which becomes curl: that saves a process.
ask() {
	# What a TLS library or a locale would be read for at each start is of no use on this socket.
	export LC_ALL=C OPENSSL_CONF=/dev/null GNUTLS_NO_IMPLICIT_INIT=1
	exec curl -q -s --max-filesize 4194304 --noproxy '*' --unix-socket "$door" -w '\n%{http_code} %{redirect_url} %{content_type}' \
		-H @/dev/fd/3 "$@" 3<<-END
			$headers
		END
}

# The input is kept until there is an answer: a door that dies with it, or stalls, costs no verdict.
find_bound || run_node
input=$(read_input)
clock

# Of what is left, the first answer comes at once, or node gives its own; a ticket is polled for the rest, so that this
# ends before the hook's own timeout.
first=4
rest=1
if [ "$timeout" -gt 0 ]; then
	timeout=$((timeout - now + began))
	[ "$timeout" -ge 1 ] || timeout=1
	[ "$timeout" -ge 8 ] || first=$(((timeout + 1) / 2))
	[ "$timeout" -le 6 ] || rest=$((timeout - 5))
fi

# -d takes out the line's end that a here-document adds.
if ! answer=$(
	ask --max-time "$first" -d @- "http://localhost/hooks/$agent" <<-END
		$input
	END
); then
	if [ "$timeout" -gt "$first" ]; then timeout=$((timeout - first)); elif [ "$timeout" -gt 0 ]; then timeout=1; fi
	end_as kept
fi

status=${answer##*"$nl"}
body=${answer%"$nl"*}
case $status in
'200 '* | '303 '*)
	proof=${status##*; proof=}
	if ! prove "$body" "$proof" ''; then
		# An impostor may say nothing at all: neither allow nor tell the agent anything.
		[ "$profile" = closed ] || end_as kept
		end_as impostor
	fi
	;;
esac
case $status in
'200 '*) end_as answer ;;
'422 '*) end_as refusal ;;
'413 '*) end_as large ;;
'303 '*) ;;
*) end_as unusable ;;
esac
# What this profile guards waits only with a denial that was kept.
[ -n "$body" ] || [ "$profile" != closed ] || end_as lost
ticket=${status#303 }
ticket=${ticket%% *}
ticket=${ticket#http://localhost/tickets/}
case $ticket in
'' | *[!A-Za-z0-9_-]*) end_as answer ;;
esac
[ -z "$body" ] || unanswered_ticket=$ticket
answer=$(ask --max-time "$rest" "http://localhost/tickets/$ticket") || end_as answer
status=${answer##*"$nl"}
case $status in
'200 '*)
	decided=${answer%"$nl"*}
	if prove "$decided" "${status##*; proof=}" ''; then
		body=$decided proof=${status##*; proof=} unanswered_ticket=
	fi
	;;
# Nobody decided in time, as the server itself says.
'410 '*) unanswered_ticket= ;;
esac
end_as answer
