import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type PlanRead, routingFacts, routingPlanGate } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import type { CallView } from '#lib/session/call.ts';
import { CallFacts } from './call-facts.tsx';

function shown(plan: PlanRead): string {
	const { facts: _facts, ...verdict } = routingPlanGate(routingFacts('/p', 'Agent', { subagent_type: 'tester' }, plan));
	const at = '2026-01-01T00:00:00.000Z';
	const call: CallView = { ...{ toolUseId: 't', seq: 1, at, tool: 'Agent', title: '' }, verdicts: [verdict] };
	return renderToStaticMarkup(<CallFacts call={call} />);
}

test('R868 a call that passed unjudged is marked so, one that was judged is well', () => {
	const unjudged = shown({ ok: false, reason: 'it is not valid JSON' });
	expect(unjudged).toContain('not judged, let pass');
	expect(unjudged).toContain('text-warn');
	expect(unjudged).not.toContain('text-ok');
	expect(shown(null)).toContain('text-ok');
});
