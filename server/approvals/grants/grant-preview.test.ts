import { expect, test } from 'vitest';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { withFingerprint } from '#lib/gates/gate-table.ts';
import { coversOf } from '#lib/grants/covers.ts';
import { grantPreview } from './grant-subject.ts';

const denied = {
	...{ gate: 'command-policy', rule: 'command.excluded', reason: 'no' },
	facts: { project: 'web', cwd: '/web', line: 'rm x', canonical: 'rm x' },
};
const covers = coversOf([withFingerprint(denied)]) ?? [];
const denialAt = (sessionId: string, n: number): IndexedEvent => ({
	...{ id: `e${n}`, seq: n + 1, ts: '2026-11-23T09:00:00.000Z', category: 'gate', label: 'Denied' },
	...{ sessionId, type: 'gate:verdict', decision: 'deny', toolUseId: `call-${n}`, ...denied },
});

/** Of so many denials the first three are in this session, and the rest in another one. */
function previewOf(count: number, sessionId: string, other: string) {
	const denials = Array.from({ length: count }, (_, n) => denialAt(n < 3 ? sessionId : other, n));
	const reads = {
		denials: async (limit: number) => denials.slice(0, limit),
		row: async () => undefined,
		view: async () => undefined,
	};
	return grantPreview({ call: { sessionId }, tool: 'Bash', title: 't', covers }, 'project', reads);
}

test('a preview at a hub counts what is at its machine, and says that older denials of all were not looked at', async () => {
	expect(covers).toHaveLength(1);
	expect(await previewOf(5001, '1/s1', '2/s1')).toMatchObject({ count: 3, more: true });
	expect(await previewOf(4999, '1/s1', '2/s1')).toMatchObject({ count: 3, more: false });
	expect(await previewOf(10, '1/s1', '1/s2')).toMatchObject({ count: 10 });
	expect(await previewOf(10, 's1', 's2')).toMatchObject({ count: 10, more: false });
});
