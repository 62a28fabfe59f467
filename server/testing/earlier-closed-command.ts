import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';

/** A denial, before and after the words of its reason. */
const [BEFORE = '', AFTER = ''] = JSON.stringify(adapterOf().printUnjudged('closed', '@')).split('@');

/**
 * The fail-closed entry as `init` wrote it before the entry asked the door itself: it stands in projects where `init` was
 * not run again, and `hook.sh` does all of its work.
 */
export function earlierClosedCommand(timeout: number): string {
	return `h="\${OVERTONE_HOME:-$HOME/.overtone}/bin/hook.sh"
l='
'
say() { printf '%s\\n' "$1" || exit 2; exit 0; }
deny() { say '${BEFORE}'"$1; a person has to run signalbox init"'${AFTER}'; }
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
