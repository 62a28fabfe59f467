import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { type Judgement, judgeHook } from '#lib/gates/gate-table.ts';
import type { Json } from '#lib/json/json.ts';
import { releaseReview } from '#lib/supervisor/review-answers.ts';
import { printable } from '#lib/text/printable.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { DeniedCall, PersonsDecision } from '../ports/denied-call.ts';
import type { Ports, ReadPorts } from '../ports/ports.ts';
import { denialsOf, enforcedInput, offerRetry, startAgent } from './decide-call.ts';
import { createHookContext, projectRoot } from './facts.ts';
import type { Ruling } from './record.ts';
import { commitRuling } from './record.ts';
import { findSkillAgent } from './respond.ts';

/** The result of a held call: what the waiting hook prints, and the events and effects once the decision is durable. */
export interface Release extends Partial<Pick<Ruling, 'events' | 'effects'>> {
	output: Json | null;
	/** The gate that denied again although a person approved. */
	repeatedDenial?: Denial;
	/** All current denials of the gates. */
	denials?: readonly Denial[];
}

/** The release before an adapter prints it. */
type Released = Omit<Release, 'output'> & Pick<Ruling, 'decision'>;

/**
 * Turns a person's decision into the hook's output. An approval overrides exactly the denials that the person has seen: the gates
 * judge again, and any other denial remains. Changes nothing (see `commitRelease`). Never throws: on a failure the denial
 * remains.
 */
export function release(held: DeniedCall, decided: PersonsDecision, ports: ReadPorts): Release {
	const { decision, ...released } = releaseHook(held, decided, ports);
	return { ...released, output: adapterOf(held.hook.agent).print(decision, held.hook) };
}

/** Records and performs a release, once its decision is durable. Throws if nothing can be appended. */
export function commitRelease({ hook, run }: DeniedCall, released: Release, ports: Ports): void {
	const { events = [], effects = [] } = released;
	commitRuling({ hook, run, root: projectRoot(hook, run, ports), ports }, { events, effects }, 'release');
}

function releaseHook(held: DeniedCall, decided: PersonsDecision, ports: ReadPorts): Released {
	if (held.permission && !isEdited(decided)) return { decision: decidePermission(held, decided) };
	if (held.review) return { decision: releaseReview(held.review.event, decided) };
	if (decided.decision === 'deny') return { decision: withReason(held, decided) };
	try {
		return approve(held, decided, ports);
	} catch {
		// The former verdict does not help the agent.
		const [denial] = held.denials;
		const reason = 'the call could not be judged again';
		return { decision: held.decision, ...(denial && { repeatedDenial: { ...denial, reason } }) };
	}
}

function approve(held: DeniedCall, decided: PersonsDecision, ports: ReadPorts): Released {
	const { hook, run, tool } = held;
	const root = projectRoot(hook, run, ports);
	const call = adapterOf(hook.agent).readCall(tool, decided.updatedInput ?? held.input, hook.raw);
	const resolved = findSkillAgent({ ...hook, at: 'call', call }, root, ports) as HookAt<'call'>;
	// Not under the lock: these events are written when the decision is durable, and the checkpoint is then made from them.
	const context = createHookContext(resolved, run, root, ports);
	const judged = judgeHook(resolved, context, { overridden: [...held.denials, ...(decided.overrides ?? [])] });
	const judgement = judged && offerRetry(judged, run, context.settings);
	const input = enforcedInput(call, judgement?.verdicts ?? [], context) ?? decided.updatedInput;
	if (held.permission)
		return releaseEditedPrompt(held, { ...decided, ...(input && { updatedInput: input }) }, judgement);
	if (judgement && judgement.verdict.decision !== 'pass') {
		const { verdict, decision } = judgement;
		const form = decision?.endsTurn ? 'stop' : 'deny';
		return {
			decision,
			events: [{ type: 'gate:verdict', ...verdict, hook: hook.name, form, answer: decision }],
			repeatedDenial: repeatedDenial(judgement),
			denials: denialsOf(judgement),
		};
	}
	const how = decided.granted
		? 'Allowed by a grant of an operator in Signalbox'
		: 'Approved in Signalbox by an operator';
	const decision = { decision: 'allow', reason: `${how}${quoted(decided.reason)}`, ...(input && { input }) } as const;
	return { decision, ...startAgent(resolved.call.deed, context) };
}

const isEdited = ({ decision, updatedInput }: PersonsDecision) => decision === 'approve' && updatedInput !== undefined;

function repeatedDenial({ verdict: { gate, rule, reason } }: Judgement): Denial {
	return { gate, rule, reason };
}

/** The output for a person's decision about a permission prompt. Only the client's own suggestions become rules. */
function decidePermission({ permission }: Pick<DeniedCall, 'permission'>, decided: PersonsDecision): HookDecision {
	const { decision, reason, stop, updatedInput: input, suggestions = [] } = decided;
	if (decision === 'deny') {
		return { decision, reason: `Denied in Signalbox by an operator${quoted(reason)}`, ...(stop && { endsTurn: true }) };
	}
	const offered = permission?.suggestions ?? [];
	const rules = suggestions.map((at) => offered[at]).filter((rule) => typeof rule === 'object' && rule !== null);
	return { decision: 'allow', ...(input && { input }), ...(rules.length > 0 && { rules }) };
}

/** The gates have judged the agent's own input, not the one that a person has edited. */
function releaseEditedPrompt(held: DeniedCall, decided: PersonsDecision, judgement: Judgement | null): Released {
	if (!judgement || judgement.verdict.decision === 'pass') return { decision: decidePermission(held, decided) };
	const reason = `the edited input was denied: ${judgement.verdict.reason}`;
	return {
		decision: decidePermission(held, { decision: 'deny', reason }),
		repeatedDenial: repeatedDenial(judgement),
		denials: denialsOf(judgement),
	};
}

/** The gates' denial with the person's reason added; it offers no retry, since a person has just denied. */
function withReason({ decision, denials }: DeniedCall, { reason, stop }: PersonsDecision): HookDecision {
	const own = denials.map((denial) => denial.reason).join('; ');
	const words = `Denied in Signalbox by an operator${quoted(reason)}`;
	return {
		...decision,
		decision: 'deny',
		reason: `${own}. ${words}`,
		...(stop && { endsTurn: true, stopReason: words }),
	};
}

function quoted(reason: string | undefined): string {
	const words = reason === undefined ? '' : printable(reason, 1000);
	return words === '' ? '' : `: "${words}"`;
}
