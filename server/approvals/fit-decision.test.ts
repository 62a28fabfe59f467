import { expect, test } from 'vitest';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import { agentRow, agentTable } from '#lib/agents/agent-table.ts';
import { fitDecision } from './fit-decision.ts';

const held = (agent: string, permission?: DeniedCall['permission']) =>
	({ tool: 'x', input: {}, hook: { agent }, permission }) as DeniedCall;

test.each(agentTable.map(({ name }) => name))('nothing is decided that %s would not do', (name) => {
	const { edit, editPrompt, stop, prompts } = agentRow(name).can;
	const isTaken = (decide: () => unknown) => {
		try {
			decide();
			return true;
		} catch (error) {
			expect(String(error)).toContain(agentRow(name).title);
			return false;
		}
	};
	const changed = { decision: 'approve', updatedInput: { command: 'ls' } } as const;
	expect(isTaken(() => fitDecision(held(name), changed))).toBe(edit);
	expect(isTaken(() => fitDecision(held(name, { suggestions: [] }), changed))).toBe(prompts && editPrompt);
	expect(isTaken(() => fitDecision(held(name), { decision: 'deny', stop: true }))).toBe(stop);
	expect(isTaken(() => fitDecision(held(name), { decision: 'approve' }))).toBe(true);
});
