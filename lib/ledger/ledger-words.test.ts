import { expect, test } from 'vitest';
import type { DecisionRecord } from '../contract/archives/decisions.ts';
import { ledgerCsv, outcomeLook } from './ledger-words.ts';

const line: DecisionRecord = {
	...{
		agent: 'codex',
		sessionId: 's',
		rowKey: 'call:1',
		seq: 1,
		at: '2026-01-01T00:00:00.000Z',
		tool: 'Bash',
		title: '=cmd|"x"',
	},
	...{ denials: [{ gate: 'g', rule: 'r', reason: 'a, b' }], state: 'unasked', outcome: 'ran' },
	...{ isDenied: false, isOverridden: false, reason: '+1\r\n-2', decideMs: 1500 },
};

test('a field with commas, quotes or lines is quoted, and none is a formula', () => {
	const [head, row] = ledgerCsv([line]).split(/\r\n(?=2026|$)/u);
	expect(head).toMatch(/^decided_at,asked_at,decision,/);
	expect(row).toContain(`,"'=cmd|""x""",`);
	expect(row).toContain(`,"'+1\r\n-2",1.5,`);
	expect(row).toContain(',"a, b",');
});

test('R1410 a call that ran without permission is named as such', () => {
	expect(outcomeLook(line)).toEqual({ words: 'ran all the same', tone: 'err' });
	expect(outcomeLook({ ...line, isOverridden: true })).toEqual({ words: 'ran', tone: 'ok' });
});
