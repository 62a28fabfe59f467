import { expect, test } from 'vitest';
import { agentTable } from '../agents/agent-table.ts';
import { gateCoverage, placeWords } from './gate-places.ts';
import { gateTable } from './gate-table.ts';

test('of each gate the table says where it is asked, and that only what fails closed holds without its hook', () => {
	const standings = (id: string) => {
		const gate = gateTable.find((row) => row.id === id) ?? gateTable[0];
		return Object.fromEntries(agentTable.map((agent) => [agent.name, gateCoverage(gate, agent)]));
	};
	expect(standings('command-policy')).toMatchObject({ 'claude-code': 'holds', codex: 'holds', cursor: 'opens' });
	expect(standings('loop')).toMatchObject({ 'claude-code': 'opens', gemini: 'opens', opencode: 'not-asked' });
	expect(new Set(Object.values(standings('supervisor')).slice(1))).toEqual(new Set(['not-asked']));
});

test('a gate is described by its hooks and the tools that it judges, else by its hooks', () => {
	const wordsOf = (id: string) => gateTable.filter((row) => row.id === id).map(placeWords);
	expect(wordsOf('routing-plan')).toEqual(['PreToolUse: Agent, Task, Workflow, Skill']);
	expect(wordsOf('loop')).toEqual(['Stop']);
});
