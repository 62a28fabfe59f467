import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import { type AgentName, FIRST_AGENT } from '#lib/agents/agent-table.ts';

const BROKEN = '; a person has to run signalbox init';
const UNJUDGED = '; this hook denies what nobody could judge.';
/** Where the entry and `hook.sh` look for programs: folders that an agent without root rights cannot write to. */
export const SYSTEM_PATH = '/usr/bin:/bin:/usr/sbin:/sbin:/run/current-system/sw/bin';
/** The ends of all denials that come from no gate: no answer arrived, or it was not proven. `hook.sh` prints the second one, too. */
export const OWN_DENIALS: readonly string[] = [BROKEN, UNJUDGED];

/**
 * The command of an entry that must not let a call pass unjudged, as lines of sh. Silence is not an answer: whoever answers must
 * prove, by the home's key (`door.key`) and the id of this run, that the call was judged completely.
 *
 * It asks the door itself. curl sends the input only after the door has answered 100 (continue), so that if the door is gone or
 * hangs, `hook.sh` and node can still read it. If such a program is missing, empty, cut off, replaced or hung, the entry denies
 * with its own text. From an answer without proof only a clear denial is passed on. The denial is printed with exit code 0, since
 * a client puts this whole command in front of the message of a hook that exits with 2; exit code 2 is used only if nothing can
 * be printed.
 *
 * Programs from the agent's PATH are not used: its own curl could have another input judged under the id of this run.
 *
 * Other clients have their own form of an answer, and take 2 for a denial only with a message. Their CLAUDE_PID may be that of a
 * client that started them.
 */
export function closedCommand(timeout: number, agent: AgentName = FIRST_AGENT): string {
	// The text of a denial before and after its reason.
	const [BEFORE = '', AFTER = ''] = JSON.stringify(adapterOf(agent).printUnjudged('closed', '@')).split('@');
	const isFirst = agent === FIRST_AGENT;
	const no = isFirst ? 'exit 2' : "{ echo 'Signalbox denies this call.' >&2; exit 2; }";
	const client = isFirst ? `\${CLAUDE_PID:-}` : '$PPID';
	return `u=\${PATH:-}
PATH=${SYSTEM_PATH}
h="\${OVERTONE_HOME:-$HOME/.overtone}/bin/hook.sh"
d="\${h%/bin/hook.sh}/bridge.sock"
l='
'
say() { printf '%s\\n' "$1" || ${no}; exit 0; }
deny() { say '${BEFORE}'"$1"'${AFTER}'; }
within() { w=$1; shift; if command -v timeout >/dev/null; then exec timeout -s KILL "$w" "$@"; else exec "$@"; fi; }
digest() { if command -v sha256sum >/dev/null; then exec sha256sum; elif command -v shasum >/dev/null; then exec shasum -a 256; else exec openssl dgst -sha256 -r; fi; }
proven() {
p=$(printf '%s\\n%s\\n%s\\n%s' "$k" "$n" "$1" "$k" | digest)
p=\${p%% *}
[ \${#p} = 64 ] && [ "$2" = "$p" ]
}
pass() {
case $1 in '') exit 0 ;; '{'*'}') say "$1" ;; esac
deny 'the answer could not be read${UNJUDGED}'
}
header() {
case $2 in '') ;; *[[:cntrl:]]*) x=$x,$1 ;; *) if [ \${#2} -gt 4096 ]; then x=$x,$1; else q="$q\${l}X-Signalbox-Env-$1: $2"; fi ;; esac
}
door() {
export LC_ALL=C OPENSSL_CONF=/dev/null GNUTLS_NO_IMPLICIT_INIT=1
within $(($1 + 1)) curl -q -s --noproxy '*' --unix-socket "$d" -H @/dev/fd/3 -w '\\n%{http_code} %{size_upload} %{redirect_url} %{content_type}' --max-time "$@" 3<<Q
$q
Q
}
ask() {
[ -x "$h" ] || deny 'the hook is missing, so no command can be judged${BROKEN}'
k=
{ read -r k <"\${h%/bin/hook.sh}/door.key"; } 2>/dev/null
[ \${#k} = 64 ] || deny 'the key of the hooks is missing or damaged, so no answer can be proven${BROKEN}'
n=
{ read -r n </proc/sys/kernel/random/uuid || n=$$-$PPID-$(date +%s); } 2>/dev/null
c=${client}
case $c in ''|*[!0-9]*) c=$PPID ;; esac
r=$2
m=offline
if [ -S "$d" ] && [ \${#d} -le 100 ]; then
q="Content-Type: application/json
X-Signalbox-Request: $n
X-Signalbox-Profile: $1
X-Signalbox-Timeout: $2
X-Signalbox-Pid: $c"
x=
header CLAUDE_PROJECT_DIR "\${CLAUDE_PROJECT_DIR:-}"
header CLAUDE_CONFIG_DIR "\${CLAUDE_CONFIG_DIR:-}"
header CCC_SUPERVISOR_ID "\${CCC_SUPERVISOR_ID:-}"
header CCC_SUPERVISOR_HOOK "\${CCC_SUPERVISOR_HOOK:-}"
header CCC_CONFIG_DIR "\${CCC_CONFIG_DIR:-}"
[ -z "$x" ] || q="$q\${l}X-Signalbox-Dropped: \${x#,}"
f=4
[ "$2" -ge 8 ] || f=1
o=$(door $f --expect100-timeout $f -H 'Expect: 100-continue' -X POST -T - http://localhost/hooks/${agent})
case $? in
7) ;;
126|127) m=proven ;;
*) r=$((r - f)) ;;
esac
s=\${o##*"$l"}
b=\${o%"$l"*}
case $s in
'200 '*|'303 '*) proven "$b" "\${s##*; proof=}" || deny 'what answers on the socket is not the server of this home, which signalbox start brings back${UNJUDGED}' ;;
esac
case $s in
'200 '*) pass "$b" ;;
'303 '*' http://localhost/tickets/'*)
[ -n "$b" ] || deny 'a denial was lost${UNJUDGED}'
u=\${s#* http://localhost/tickets/}
u=\${u%% *}
case $u in ''|*[!A-Za-z0-9_-]*) pass "$b" ;; esac
f=1
[ "$2" -le 6 ] || f=$(($2 - 5))
o=$(door $f "http://localhost/tickets/$u")
s=\${o##*"$l"}
case $s in '200 '*) proven "\${o%"$l"*}" "\${s##*; proof=}" && pass "\${o%"$l"*}" ;; esac
pass "$b" ;;
'422 '*) printf '%s\\n' "$b" >&2; exit 2 ;;
''|'000 0 '*|'000 0.000 '*) ;;
'000 '*|'100 '*) deny 'the server ended, or fell silent, with this call in its hands, so ask for it again${UNJUDGED}' ;;
'413 '*) deny 'the hook input is larger than 32 MiB${UNJUDGED}' ;;
*) deny 'the server could not judge this call${UNJUDGED}' ;;
esac
fi
[ "$r" -gt 1 ] || r=2
export CLAUDE_PID="$c"
o=$(within $((r - 1)) env PATH="$u" "$h" "$1" "$r" "$m"${isFirst ? '' : ` ${agent}`} 3<<N
$n
N
)
case $? in 0) ;; 2) ${no} ;; *) deny 'the hook broke down or did not end in time${BROKEN}' ;; esac
b=\${o%"$l"*}
! proven "$b" "\${o##*"$l"}" || pass "$b"
r=\${o#'${BEFORE}'}
r=\${r%'${AFTER}'}
case $r in *[\\"\\\\[:cntrl:]]*) ;; *) [ "$o" != '${BEFORE}'"$r"'${AFTER}' ] || say "$o" ;; esac
deny 'the hook did not prove that it judged this call${BROKEN}'
}
ask closed ${timeout}`;
}
