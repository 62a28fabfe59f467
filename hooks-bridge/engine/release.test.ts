import { describe, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { DeniedCall, PersonsDecision } from '../ports/denied-call.ts';
import type { Ports } from '../ports/ports.ts';
import { memoryPorts } from '../testing/memory-ports.ts';
import { digestOfCall } from './draft-events.ts';
import { commitRelease, release } from './release.ts';
import { respond } from './respond.ts';

const PLAN = '/shop/.vibe-engine/routing-state.json';
const CONFIG = '/shop/.overtone/config.json';
const plan = JSON.stringify({
	planId: 'p',
	status: 'pending',
	phases: [{ tasks: [{ agent: 'developer', status: 'pending' }] }],
});

function denied(form: 'deny' | 'stop' = 'deny') {
	const config = JSON.stringify({ gates: { routing: { onMismatch: form } } });
	const ports = memoryPorts({ [PLAN]: plan, [CONFIG]: config });
	const input = {
		session_id: 's1',
		cwd: '/shop',
		hook_event_name: 'PreToolUse',
		tool_name: 'Agent',
		tool_use_id: 't1',
		tool_input: { subagent_type: 'architect', prompt: 'design' },
	};
	const { held, output } = respond(input, { requestId: 'r1', profile: 'open' }, ports);
	if (!held) throw new Error('not held');
	return { ports, held, output, input };
}

/** A release whose decision is durable at once. */
function releaseNow(held: DeniedCall, decided: PersonsDecision, ports: Ports) {
	const released = release(held, decided, ports);
	commitRelease(held, released, ports);
	return released;
}

describe('release', () => {
	it('R38 an approval allows the call, says who and why, and records the start only now', () => {
		const { ports, held } = denied();
		expect(ports.all().map((event) => event.type)).not.toContain('agent:delegate');
		expect(releaseNow(held, { decision: 'approve', reason: 'needed\u001b[31m now' }, ports)).toMatchObject({
			output: {
				continue: true,
				hookSpecificOutput: {
					hookEventName: 'PreToolUse',
					permissionDecision: 'allow',
					permissionDecisionReason: 'Approved in Signalbox by an operator: "needed now"',
				},
			},
		});
		expect(ports.all().at(-1)).toMatchObject({ type: 'agent:delegate', agent: 'architect', toolUseId: 't1' });
		for (const event of ports.all()) expect(isKnown(parseEvent(event) as never)).toBe(true);
	});

	it('R38 hands over a changed input and records the agent that it names', () => {
		const { ports, held } = denied();
		const updatedInput = { subagent_type: 'developer', prompt: 'build' };
		const { output } = releaseNow(held, { decision: 'approve', updatedInput }, ports);
		expect(output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow', updatedInput } });
		expect(ports.all().at(-1)).toMatchObject({ agent: 'developer' });
	});

	it('a denial of an edit by the same rule for another reason was not seen by the person, and remains', () => {
		const { ports, held } = denied();
		const updatedInput = { subagent_type: 'tester', prompt: 'design' };
		const { output, repeatedDenial, denials } = release(held, { decision: 'approve', updatedInput }, ports);
		expect(output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(repeatedDenial).toMatchObject({ rule: 'routing.agent-in-plan', reason: expect.stringContaining('tester') });
		expect(denials).toMatchObject([{ words: expect.stringContaining('agent tester while plan p') }]);
		expect(ports.all().map(({ type }) => type)).not.toContain('agent:delegate');
		const despite = { decision: 'approve', updatedInput, overrides: denials ?? [] } as const;
		expect(release(held, despite, ports).output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
		const other = { ...despite, updatedInput: { ...updatedInput, subagent_type: 'writer' } };
		expect(release(held, other, ports).repeatedDenial).toMatchObject({ reason: expect.stringContaining('writer') });
	});

	it('a plan that replaced the one on the card denies again, and that denial remains', () => {
		const { ports, held } = denied();
		ports.files.set(PLAN, plan.replace('"planId":"p"', '"planId":"q"'));
		const { output, repeatedDenial } = release(held, { decision: 'approve' }, ports);
		expect(repeatedDenial).toMatchObject({ rule: 'routing.agent-in-plan' });
		expect(output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
	});

	it('R38 a denial by any other rule remains', () => {
		const { ports, held } = denied();
		const other = { ...held, denials: [{ gate: 'routing-plan', rule: 'routing.other', reason: '' }] };
		const released = releaseNow(other, { decision: 'approve' }, ports);
		expect(released.repeatedDenial).toMatchObject({ gate: 'routing-plan', rule: 'routing.agent-in-plan' });
		expect(released.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(ports.all().at(-1)).toMatchObject({ type: 'gate:verdict', decision: 'deny' });
		expect(new Set(ports.all().map((event) => event.id)).size).toBe(ports.all().length);
	});

	it.each(['deny', 'stop'] as const)("a person's denial keeps the form %s and adds the words", (form) => {
		const { ports, held, output } = denied(form);
		const released = release(held, { decision: 'deny', reason: 'not today' }, ports).output;
		expect('continue' in (released ?? {})).toBe(form === 'stop');
		expect(released).toMatchObject({
			systemMessage: output?.systemMessage,
			hookSpecificOutput: {
				permissionDecisionReason:
					'Agent mismatch: architect not in expected [developer]. Denied in Signalbox by an operator: "not today"',
			},
		});
	});

	it("R7 the gate's denial remains when a release fails", () => {
		const { ports, held, output } = denied();
		ports.readProjectFile = () => {
			throw new Error('EIO');
		};
		expect(release(held, { decision: 'approve' }, ports)).toEqual({
			output,
			repeatedDenial: { ...held.denials[0], reason: 'the call could not be judged again' },
		});
	});

	it('R38 binds the decision to the canonical input', () => {
		const { ports, held, input } = denied();
		const { prompt, subagent_type } = input.tool_input;
		const digestOf = (given: object) => digestOfCall({ tool: 'Agent', input: given }, held.hook, ports);
		expect(digestOf({ prompt, subagent_type })).toBe(held.inputDigest);
		expect(digestOf({ prompt: 'other', subagent_type })).not.toBe(held.inputDigest);
	});
});
