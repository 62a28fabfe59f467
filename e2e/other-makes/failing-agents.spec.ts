import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '#e2e/fixtures.ts';
import { agentRow } from '#lib/agents/agent-table.ts';
import { realClients } from './real-clients.ts';
import { programOf, runClient } from './run-client.ts';

/** What the hook before a call does instead of its work, by the call's own word; at last it is gone. Other hooks are silent. */
const FAILING = `#!/bin/sh
[ "$2" -gt 15 ] || exit 0
input=$(cat)
case $input in
*PermissionRequest* | *permissionSuggestions*) exit 0 ;;
*"touch crash"*) exit 7 ;;
*"touch dies"*) kill -9 $$ ;;
*"touch garbage"*) echo '{not json' ;;
*"touch entry"*)
	# The entry is the client's own child.
	entry=$$
	while read -r line </proc/$entry/stat; do
		set -- \${line##*) }
		[ "$2" != "$CLAUDE_PID" ] || break
		entry=$2
	done
	kill -9 "$entry"
	;;
*"touch hang"*)
	rm "$0"
	trap '' TERM
	exec sleep 100
	;;
esac
`;
const WAYS = ['crash', 'dies', 'garbage', 'entry', 'hang', 'missing'];

for (const client of realClients) {
	for (const isClosed of [true, false]) {
		const how = isClosed ? 'lets no call run where its entry is fail-closed' : 'lets the call run, as its entry says';
		const title = `R2096 ${client.title} ${client.version}: without a server a hook that is missing, crashes or hangs ${how}`;

		test(title, { tag: '@full' }, async () => {
			test.setTimeout(300_000);
			const program = await programOf(client);
			const home = mkdtempSync(join(tmpdir(), 'sbx-home-'));
			const exclude = isClosed ? ['rm'] : [];
			writeFileSync(
				join(home, 'config.json'),
				JSON.stringify({ commands: { exclude }, approvals: { holdSeconds: 1 } }),
			);
			const script = WAYS.map((way) => client.runs(`touch ${way}.txt`));
			const before = () => writeFileSync(join(home, 'bin/hook.sh'), FAILING, { mode: 0o755 });
			const { shop, model, ended, close } = await runClient(client, { home, config: '{}', script, program, before });
			try {
				const { code, said } = await ended;
				expect(code, said).toBe(0);
				const { onFailure, onKill } = agentRow(client.name).can;
				const opens = (way: string) => !isClosed || onFailure === 'runs' || (way === 'entry' && onKill === 'runs');
				const ran = WAYS.filter((way) => existsSync(join(shop.dir, `${way}.txt`)));
				const unsaid = isClosed ? [] : ['entry'];
				const listed = (ways: string[]) => ways.filter((way) => !unsaid.includes(way));
				expect(listed(ran), model.read.join('\n')).toEqual(listed(WAYS.filter(opens)));
				expect(model.read).toHaveLength(WAYS.length);
				for (const [at, way] of WAYS.entries()) {
					// Copilot CLI words the failure of a killed hook itself.
					if (!opens(way) && way !== 'entry') expect(model.read[at], way).toContain('Signalbox');
				}
			} finally {
				await close();
				rmSync(home, { recursive: true });
			}
		});
	}
}
