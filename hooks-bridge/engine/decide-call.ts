import type { AgentHook, HookAt } from '#lib/agents/agent-hook.ts';
import { inputWithLine } from '#lib/agents/read-deed.ts';
import type { Deed, RequestedAgent, ToolCall } from '#lib/agents/tool-call.ts';
import { sandboxEntry } from '#lib/commands/sandbox-entry.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import { SPAWN_GATE } from '#lib/contract/events/event-labels.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { COMMAND_GATE } from '#lib/gates/command-policy/command-policy-gate.ts';
import { type GateRow, joinDecisions, type Verdict } from '#lib/gates/gate.ts';
import {
	type ConcernedGate,
	gateById,
	gateTable,
	isGateActive,
	type Judgement,
	judgeHook,
	withFingerprint,
} from '#lib/gates/gate-table.ts';
import type { Json } from '#lib/json/json.ts';
import { agentNameOf, GENERAL_AGENT } from '#lib/routing/routing-state.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { printable } from '#lib/text/printable.ts';
import { completionCall } from '#lib/validators/completion-call.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import { groupOf, stageForAgent } from '#lib/workflow/next-step.ts';
import { isRunning, stageOf } from '#lib/workflow/workflow-state.ts';
import type { DeniedCall, WantedAssessment } from '../ports/denied-call.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { ReadPorts } from '../ports/ports.ts';
import { digestOfCall } from './draft-events.ts';
import type { HookContext } from './facts.ts';
import { eventsOnly, type Ruling } from './record.ts';
import { markTask } from './routing/decide-route.ts';

/**
 * The gates' verdicts on a call; if none objects and no model has to be asked first, also what its start means. `began`: when
 * judging began (ms).
 */
export function decideCall(
	hook: HookAt<'call'>,
	run: HookRun,
	context: HookContext,
	{ began, concerned }: { began: number; concerned: readonly ConcernedGate[] },
): Ruling {
	const judged = judgeHook(hook, context, { concerned });
	const objected = judged !== null && judged.verdict.decision !== 'pass';
	const unable = objected ? undefined : whyUnable(hook, run, context);
	if (unable) {
		const verdict: Verdict = { ...unable, decision: 'deny', facts: {} };
		const durationMs = context.ports.now() - began;
		const ofHook = { durationMs, hook: hook.name, form: 'deny' as const };
		// No grant lifts it: only the file does.
		const recorded: DraftEvent = { type: 'gate:verdict', ...verdict, ...ofHook, noGrant: true };
		return { ...eventsOnly([recorded]), unjudged: unable.reason };
	}
	const judgement = judged && offerRetry(enforceSandbox(judged, hook.call, context), run, context.settings);
	const decision = judgement?.decision ?? null;
	const verdicts = judgement ? draftVerdicts(judgement, hook, context.ports.now() - began) : [];
	const assess = objected ? undefined : wantAssessment(hook, run, context, decision);
	const rating = assess?.validator === 'spawn' ? assess : undefined;
	const unrated = rating?.hookWaits === false ? draftUnrated(hook.call) : [];
	const starts = !objected && !rating?.hookWaits;
	const begun = starts ? startAgent(hook.call.deed, context) : undefined;
	const held = judgement && !assess ? holdCall(judgement, hook, run, context) : undefined;
	return {
		decision,
		events: [...verdicts, ...unrated, ...(begun?.events ?? [])],
		effects: begun?.effects ?? [],
		...(judgement && { isJudged: true }),
		...(held && { held }),
		...(assess && { assess }),
	};
}

/** Which gate can judge nothing, and why, for a hook that then denies; undefined if all can. */
function whyUnable(
	hook: HookAt<'call'>,
	{ profile }: HookRun,
	context: HookContext,
): Pick<Verdict, 'gate' | 'rule' | 'reason'> | undefined {
	if (profile !== 'closed') return undefined;
	const rows: readonly GateRow[] = gateTable;
	for (const row of rows) {
		if (typeof row.judgedBy === 'string' || row.profile !== 'closed' || !isGateActive(row, hook, context)) continue;
		const unable = row.judgedBy.whyUnable?.(context.settings);
		if (unable) return { gate: row.id, ...unable };
	}
	return undefined;
}

/** A judgement; if no gate objects, its answer also hands the client the changed input. */
function enforceSandbox(judged: Judgement, call: ToolCall, context: HookContext): Judgement {
	const input = judged.verdict.decision === 'pass' ? enforcedInput(call, judged.verdicts, context) : undefined;
	return input ? { ...judged, decision: joinDecisions(judged.decision, { decision: 'pass', input }) } : judged;
}

/**
 * The input that makes a command run in the sandbox (`commands.enforce`), undefined if not enforced. What a person allowed
 * against the policy runs outside, as they saw it.
 */
export function enforcedInput(
	{ deed, input }: ToolCall,
	verdicts: readonly Verdict[],
	{ project, ports }: HookContext,
): Json | undefined {
	if (deed.does !== 'run-command' || deed.line === null) return undefined;
	const clear = verdicts.find(({ gate, rule }) => gate === COMMAND_GATE && rule === 'command.clear');
	const program = clear?.facts.enforce === 'sandbox' ? ports.sandboxEntry?.() : undefined;
	const line = program && sandboxEntry(deed.line, program, project);
	return line ? inputWithLine(input, line) : undefined;
}

const OFFER = 'If the call is needed, tell your user: a person can allow a retry of it in Signalbox.';

/**
 * Tells the agent that a person can allow a retry: if a server can ask one, if the agent reads the reason, and if a retry would
 * be recognised.
 */
export function offerRetry(judgement: Judgement, run: HookRun, { observe }: Pick<Settings, 'observe'>): Judgement {
	const { decision } = judgement;
	if (!run.served || observe || decision?.decision !== 'deny' || decision.endsTurn) return judgement;
	if (denialsOf(judgement).some(({ fingerprint }) => fingerprint === undefined)) return judgement;
	return { ...judgement, decision: { ...decision, reason: `${decision.reason}. ${OFFER}` } };
}

/** The verdicts as events: the answer is recorded with the deciding one, where a repeated run finds it. */
export function draftVerdicts(
	{ verdict: decisive, verdicts, decision, records }: Judgement,
	{ at, name }: AgentHook,
	durationMs: number,
): DraftEvent[] {
	const isForm = at === 'call' && decisive.decision !== 'pass';
	const form = isForm ? { form: decision?.endsTurn ? ('stop' as const) : ('deny' as const) } : {};
	const verdictEvents = verdicts.map((verdict): DraftEvent => {
		const answered = verdict === decisive ? { ...form, answer: decision } : {};
		return { type: 'gate:verdict', ...verdict, durationMs, hook: name, ...answered };
	});
	return [...verdictEvents, ...records];
}

/** A hook killed by its own timeout lets the call run: an answer must arrive this much earlier. */
export const ASSESSMENT_MARGIN_SECONDS = 10;

/**
 * What only a model can judge, if its gate is on: a sub-agent that no gate denies, or a task, todo or box about to be completed.
 * `decision` answers the hook if the model does not.
 */
export function wantAssessment(
	hook: AgentHook,
	run: HookRun,
	{ project: root, settings, ports }: HookContext,
	decision: HookDecision | null,
): WantedAssessment | undefined {
	const validator = validatorFor(hook, settings.gates);
	if (validator === null) return undefined;
	const waits = (run.timeoutSeconds ?? 0) > ASSESSMENT_MARGIN_SECONDS;
	return { validator, root, decision, hookWaits: waits && ports.mayAssess?.(validator) === true, hook, run };
}

function validatorFor(hook: AgentHook, gates: Settings['gates']): WantedAssessment['validator'] | null {
	const spawns = gates.spawnValidator.enabled && hook.at === 'call' && spawnRequest(hook.call) !== null;
	if (spawns) return 'spawn';
	return gates.completionValidator.enabled && completionCall(hook) ? 'completion' : null;
}

/** The events of a start that cannot be rated now: it counts as moderate and may run (seed 002). */
function draftUnrated(call: ToolCall): DraftEvent[] {
	const subject = printable(spawnRequest(call)?.description ?? '', 300);
	const reason = 'no model was asked, so the task counts as moderate';
	return [
		{
			type: 'gate:verdict',
			gate: SPAWN_GATE,
			decision: 'pass',
			rule: 'spawn.unrated',
			reason,
			facts: { subject, rating: 'moderate', fallback: true },
			hook: 'PreToolUse',
		},
		{
			type: 'validator:assessment',
			validator: SPAWN_GATE,
			allowed: true,
			rating: 'moderate',
			reasoning: 'Nobody rated the task; it counts as moderate.',
			subject,
			fallback: true,
			fallbackReason: 'no model configured',
		},
	];
}

/** What the start of a sub-agent means: its delegation, its stage and parallel group in a workflow, and its task of a plan. */
export function startAgent(deed: Deed, context: HookContext): Pick<Ruling, 'events' | 'effects'> | undefined {
	if (deed.does !== 'start-agent') return undefined;
	const { requestedAgent } = deed;
	return {
		events: draftStart(requestedAgent, context.workflow()),
		effects: markTask(context, requestedAgent.type, { how: 'executing' }),
	};
}

function draftStart(request: RequestedAgent, state: WorkflowState | null): DraftEvent[] {
	const agent = agentNameOf(request.type);
	const key = isRunning(state) && agent !== null ? stageForAgent(state, agent) : undefined;
	if (!isRunning(state) || key === undefined) return [agentDelegate(request)];
	const drafts: DraftEvent[] = [agentDelegate(request, key)];
	const stage = stageOf(state, key);
	if (stage?.result === 'issues') {
		drafts.push({ type: 'stage:retry', stage: key, reason: 'another round after its ISSUES' });
	}
	if (stage && stage.status !== 'active') drafts.push({ type: 'stage:start', stage: key, mode: stage.mode });
	const group = groupOf(state, key);
	if (group && state.groups?.[group.name] === undefined) {
		drafts.push({ type: 'parallel:start', group: group.name, stages: [...group.stages] });
	}
	return drafts;
}

function agentDelegate({ type, description, background }: RequestedAgent, stage?: string): DraftEvent {
	return {
		type: 'agent:delegate',
		agent: agentNameOf(type) ?? GENERAL_AGENT,
		stage,
		description,
		subagentType: type?.slice(0, 200) || undefined,
		background,
	};
}

/** A call that gates deny, with everything that is needed to release it; undefined if they let it pass. */
function holdCall(
	judgement: Judgement,
	hook: HookAt<'call'>,
	run: HookRun,
	{ settings: { gates }, ports }: HookContext,
): DeniedCall | undefined {
	const { verdict, verdicts, decision } = judgement;
	if (verdict.decision === 'pass' || !decision) return undefined;
	return {
		...waitingCall(hook, hook.call, run, ports),
		denials: denialsOf(judgement),
		asksPerson: verdicts.every(({ decision, gate }) => decision === 'pass' || isHeld(gate, gates)),
		decision,
		facts: verdict.facts,
	};
}

/** The fields of every held call about the call itself and about the hook that waits. */
export function waitingCall(
	hook: AgentHook,
	call: Pick<ToolCall, 'tool' | 'input'>,
	run: HookRun,
	ports: Pick<ReadPorts, 'digest'>,
) {
	const { sessionId, agentId, toolUseId } = hook;
	const { tool, input } = call;
	return { sessionId, agentId, toolUseId, tool, input, inputDigest: digestOfCall(call, hook, ports), hook, run };
}

/** The denials of a judgement's gates, each with its fingerprint. */
export function denialsOf({ verdicts }: Judgement): Denial[] {
	return verdicts.filter(({ decision }) => decision !== 'pass').map(withFingerprint);
}

/** Whether the settings leave a gate's denial to a person. */
export function isHeld(gate: string, gates: Settings['gates']): boolean {
	const switches: Readonly<Record<string, { hold: boolean } | undefined>> = gates;
	return switches[gateById(gate)?.setting ?? '']?.hold === true;
}

const MAX_SUGGESTIONS = 20;

/**
 * Holds the client's own prompt or question like a denial; without a decision its dialog in the terminal remains. Undefined if no
 * one can be asked here.
 */
export function holdPermission(
	hook: HookAt<'permission'>,
	run: HookRun,
	{ settings, ports }: HookContext,
): DeniedCall | undefined {
	if (!settings.holdsPrompts) return undefined;
	return {
		...waitingCall(hook, hook.call, run, ports),
		denials: [],
		asksPerson: true,
		decision: null,
		facts: {},
		permission: { suggestions: hook.suggestions.slice(0, MAX_SUGGESTIONS) },
	};
}

/** The gates' verdicts on any hook but a call and the end of a turn. */
export function decideEnd(hook: AgentHook, context: HookContext): Ruling {
	const began = context.ports.now();
	const judgement = judgeHook(hook, context);
	if (judgement === null) return eventsOnly([]);
	return { ...eventsOnly(draftVerdicts(judgement, hook, context.ports.now() - began)), decision: judgement.decision };
}
