import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';

/** A denial, before and after the words of its reason. */
const [BEFORE = '', AFTER = ''] = JSON.stringify(adapterOf().printUnjudged('closed', '@')).split('@');

/** The end of every denial that is the entry's own: the program did not answer, or proved nothing. */
export const OWN_DENIAL = '; a person has to run signalbox init';

/**
 * The command of an entry that must not let a call pass unjudged, as lines of sh. Silence counts for nothing: the program
 * has to prove, by the home's key (`door.key`) and the name that this run gets, that its answer was judged to the end.
 * Whatever else it does, because it is missing, empty, cut off, replaced or hung, is a denial in this entry's own words;
 * of an answer without proof only a denial that can mean nothing else is handed on. By a denial, since a client puts this
 * whole command before the words of a hook that exits with 2; where none can be printed, by that.
 */
export function closedCommand(timeout: number): string {
	return `h="\${OVERTONE_HOME:-$HOME/.overtone}/bin/hook.sh"
l='
'
say() { printf '%s\\n' "$1" || exit 2; exit 0; }
deny() { say '${BEFORE}'"$1${OWN_DENIAL}"'${AFTER}'; }
digest() { if command -v sha256sum >/dev/null; then sha256sum; elif command -v shasum >/dev/null; then shasum -a 256; else openssl dgst -sha256 -r; fi; }
ask() {
[ -x "$h" ] || deny 'the hook is missing, so no command can be judged'
k=
{ read -r k <"\${h%/bin/hook.sh}/door.key"; } 2>/dev/null
[ \${#k} = 64 ] || deny 'the key of the hooks is missing or damaged, so no answer can be proven'
n=
{ read -r n </proc/sys/kernel/random/uuid || n=$$-$PPID-$(date +%s); } 2>/dev/null
t=
command -v timeout >/dev/null && t="timeout -s KILL $(($2 - 1))"
o=$(CLAUDE_PID=\${CLAUDE_PID:-$PPID} $t "$h" "$@" proven 3<<N
$n
N
)
case $? in 0) ;; 2) exit 2 ;; *) deny 'the hook broke down or did not end in time' ;; esac
b=\${o%"$l"*}
p=$(printf '%s\\n%s\\n%s\\n%s' "$k" "$n" "$b" "$k" | digest)
p=\${p%% *}
if [ \${#p} = 64 ] && [ "\${o##*"$l"}" = "$p" ]; then
[ -n "$b" ] || exit 0
say "$b"
fi
r=\${o#'${BEFORE}'}
r=\${r%'${AFTER}'}
case $r in *[\\"\\\\[:cntrl:]]*) ;; *) [ "$o" != '${BEFORE}'"$r"'${AFTER}' ] || say "$o" ;; esac
deny 'the hook did not prove that it judged this call'
}
ask closed ${timeout}`;
}
