import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { PlanRead } from '#lib/gates/gate.ts';
import { type RoutingFacts, routingPlan } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import { agentCall, contextWith, judgingOf } from '#lib/gates/testing/gate-rig.ts';
import { CallFacts } from './row-detail.tsx';

function shown(plan: PlanRead): string {
	const gate = judgingOf<RoutingFacts>(routingPlan);
	const facts = gate.factsOf(agentCall('tester'), contextWith({ plan: () => plan }));
	if (!facts) throw new Error('the gate has nothing to say of a sub-agent');
	const { facts: _facts, ...verdict } = gate.judge(facts);
	const at = '2026-01-01T00:00:00.000Z';
	const call: CallView = { ...{ toolUseId: 't', seq: 1, at, tool: 'Agent', title: '' }, verdicts: [verdict] };
	return renderToStaticMarkup(<CallFacts call={call} />);
}

test('a call that passed unjudged is marked so, one that was judged is well', () => {
	const unjudged = shown({ ok: false, reason: 'it is not valid JSON' });
	expect(unjudged).toContain('not judged, let pass');
	expect(unjudged).toContain('text-warn');
	expect(unjudged).not.toContain('text-ok');
	expect(shown(null)).toContain('text-ok');
});
