import type { Denial } from '#lib/contract/catalogue/approval.ts';
import type { Overridden } from '#lib/grants/covers.ts';
import { agentNameOf } from '#lib/routing/agent-name.ts';
import { releaseReview } from '#lib/supervisor/release-review.ts';
import { printable } from '#lib/text/printable.ts';
import { isJson } from '../agents/claude-code/json.ts';
import { allowCall, type HookOutput } from '../agents/claude-code/outputs.ts';
import { type HookInput, readInput } from '../agents/claude-code/read-input.ts';
import { denialsOf } from './hold-call.ts';
import { releasePermission } from './hold-permission.ts';
import { type Judgement, judgeCall } from './judge-call.ts';
import { offerRetry } from './offer-retry.ts';
import type { DraftEvent, HeldCall, Ports } from './ports.ts';
import { findPlan, findSettings, projectRoot } from './project.ts';
import { trackTask } from './routing/route-answer.ts';
import { seal } from './seal.ts';
import { spawnInput, spawnOf } from './spawn-of.ts';
import { startDrafts } from './workflow/start-drafts.ts';

/** What a person decided about a held call, or about calls like it by a grant. */
export interface PersonsDecision {
	decision: 'approve' | 'deny';
	/** Decided by a grant that was made before this call. */
	granted?: true;
	reason?: string;
	/** Replaces the call's input where the person changed it. */
	updatedInput?: Record<string, unknown>;
	/** Denials of that input beside those of the call, which the person has seen. */
	overrides?: readonly Overridden[];
	/** A denial that ends the agent's turn. */
	stop?: true;
	/** Of a permission prompt: which of the client's own suggestions are to be applied. */
	suggestions?: readonly number[];
}

/** What the waiting hook prints, and the gate that denied again although a person approved. */
export interface Release {
	output: HookOutput;
	standing?: Denial;
	/** All that the gates deny now. */
	denials?: readonly Denial[];
	/** Effects on the project, to be done once the decision is durable. */
	after?: (ports: Ports) => void;
}

/**
 * Turns a person's decision into the waiting hook's output (DESIGN 6). An approval overrides exactly the denials that
 * the person has seen: the gates judge again and another one stands, also by the same rule. The start's effects are told only now. Never throws: on
 * a failure the gate's own denial stands.
 */
export function release(held: HeldCall, decided: PersonsDecision, ports: Ports): Release {
	if (held.permission && !isEdited(decided)) return { output: releasePermission(held, decided) };
	if (held.review) return { output: releaseReview(held.review.event, decided) };
	if (decided.decision === 'deny') return { output: withReason(held, decided) };
	try {
		const read = readInput(held.hookInput);
		if (read.ok) return approve(held, decided, read.input, ports);
	} catch {
		// What it was is of no use to the agent.
	}
	const [denial] = held.denials;
	return {
		output: held.output,
		...(denial && { standing: { ...denial, reason: 'the call could not be judged again' } }),
	};
}

function approve(held: HeldCall, decided: PersonsDecision, input: HookInput, ports: Ports): Release {
	const root = projectRoot(input, held.run, ports);
	const { sessionId } = held;
	// Without the lock: what is told here is held back until the decision is durable, and the checkpoint heals from it.
	const workflow = ports.flow.has(sessionId) ? ports.flow.read(sessionId).workflow : null;
	const plan = findPlan(root, ports);
	const changed = decided.updatedInput ?? held.input;
	const spawn = spawnOf({ ...input, fields: { ...input.fields, tool_input: changed } }, root, ports);
	const call = {
		project: root,
		tool: held.tool,
		spawn,
		input: changed,
		cwd: input.cwd ?? held.run.cwd ?? '',
		plan: plan.read,
		workflow,
		inside: held.agentId !== undefined,
		autoFix: false,
	};
	const settings = findSettings(root, ports);
	const judged = judgeCall(call, settings, [...held.denials, ...(decided.overrides ?? [])]);
	const judgement = judged && offerRetry(judged, held.run, settings);
	if (held.permission) return releaseEditedPrompt(held, decided, judgement);
	const tell = (drafts: DraftEvent[]): void => ports.append(sessionId, seal(drafts, input, held.run, ports, 'release'));
	if (judgement?.verdict.decision === 'deny') {
		const { verdict, form, output } = judgement;
		tell([{ type: 'gate:verdict', ...verdict, hook: 'PreToolUse', form, output }]);
		const standing = { gate: verdict.gate, rule: verdict.rule, reason: verdict.reason };
		return { output, standing, denials: denialsOf(judgement) };
	}
	if (spawn) tell(startDrafts(spawnInput(spawn, changed), workflow));
	const how = decided.granted
		? 'Allowed by a grant of an operator in Signalbox'
		: 'Approved in Signalbox by an operator';
	const reason = `${how}${quoted(decided.reason)}`;
	const output = allowCall({ reason, updatedInput: decided.updatedInput });
	if (!spawn) return { output };
	const { run } = held;
	const agent = agentNameOf(spawn.subagentType);
	return { output, after: (real) => trackTask({ input, run, root, plan, ports: real }, agent, { how: 'executing' }) };
}

const isEdited = ({ decision, updatedInput }: PersonsDecision) => decision === 'approve' && updatedInput !== undefined;

/** The gates have let the call through as the agent made it; what a person made of it they have not seen before. */
function releaseEditedPrompt(held: HeldCall, decided: PersonsDecision, judgement: Judgement | null): Release {
	if (judgement?.verdict.decision !== 'deny') return { output: releasePermission(held, decided) };
	const { gate, rule, reason } = judgement.verdict;
	return {
		output: releasePermission(held, { decision: 'deny', reason: `the edited input was denied: ${reason}` }),
		standing: { gate, rule, reason },
		denials: denialsOf(judgement),
	};
}

/** The gates' denial with the person's words after the gates' own; it offers no retry, since a person has just denied. */
function withReason({ output, denials }: HeldCall, { reason, stop }: PersonsDecision): Record<string, unknown> {
	const specific = isJson(output?.hookSpecificOutput) ? output.hookSpecificOutput : {};
	const own = denials.map((denial) => denial.reason).join('; ');
	const said = `Denied in Signalbox by an operator${quoted(reason)}`;
	return {
		...output,
		...(stop && { continue: false, stopReason: said }),
		hookSpecificOutput: { ...specific, permissionDecisionReason: `${own}. ${said}` },
	};
}

function quoted(reason: string | undefined): string {
	const words = reason === undefined ? '' : printable(reason, 1000);
	return words === '' ? '' : `: "${words}"`;
}
