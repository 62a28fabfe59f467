import { basename } from 'node:path';
import { isCommandTool } from '#lib/gates/command-policy/command-gate-name.ts';
import { isAutoFix, isEnforcedTool } from '#lib/gates/routing-enforcer/routing-enforcer-gate.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { agentNameOf, isSubagentTool } from '#lib/routing/agent-name.ts';
import { draftEvents } from '../agents/claude-code/draft-events.ts';
import { deniesCall, type HookOutput, isDenial } from '../agents/claude-code/outputs.ts';
import { type HookInput, readInput } from '../agents/claude-code/read-input.ts';
import { contentId, eventId } from './event-ids.ts';
import { holdPermission } from './hold-permission.ts';
import { asidePorts, untold } from './judge-aside.ts';
import { planDraft, tellsPlan } from './plan-draft.ts';
import type { DraftEvent, HookAnswer, HookRun, Ports } from './ports.ts';
import { findPlan, findSettings, projectRoot } from './project.ts';
import { refuseInput, reportFailure } from './refuse-input.ts';
import { type RouteCall, routeAnswer, trackTask } from './routing/route-answer.ts';
import { seal } from './seal.ts';
import { spawnOf } from './spawn-of.ts';
import { startCall } from './start-call.ts';
import { ENDS, planTakesPart, workflowTakesPart } from './takes-part.ts';
import { unratedSpawn } from './validators/unrated-spawn.ts';
import { wantCompletion, wantShellSpawn } from './validators/want-assessment.ts';
import { flowAnswer } from './workflow/flow-answer.ts';

/**
 * Turns one hook input into the one JSON object to print, and appends what happened to the session's timeline
 * first (DESIGN 1). `raw` is the text of stdin or the object parsed from it. Never throws: unreadable input and
 * failures inside give the profile's answer, with the reason in it and a `system:warning` event.
 */
export function respond(raw: unknown, run: HookRun, ports: Ports): HookAnswer {
	const read = readInput(raw);
	if (!read.ok) return refuseInput(raw, read.reason, run, ports);
	try {
		return answer(read.input, run, ports);
	} catch (error) {
		tellAnyway(read.input, run, ports);
		return reportFailure(error, read.input, run, ports);
	}
}

/** What happened is told even where nothing can be made of it, unless that was done before the failure. */
function tellAnyway(input: HookInput, run: HookRun, ports: Ports): void {
	try {
		const told = draftEvents(input, run, projectRoot(input, run, ports), ports);
		ports.append(input.sessionId, untold(seal(told, input, run, ports), input, run, ports));
	} catch {
		// The failure is reported whatever becomes of this.
	}
}

function answer(input: HookInput, run: HookRun, ports: Ports): HookAnswer {
	const root = projectRoot(input, run, ports);
	const happened = named(draftEvents(input, run, root, ports), input, run, ports);
	// A run is known by its request id; a tool call also by the id of its first event, whichever run told it.
	const keys = [run.requestId, ...(happened[0]?.id === undefined ? [] : [happened[0].id])];
	const base = { sessionId: input.sessionId, keys };
	const earlier = ports.recorded(input.sessionId, keys);
	const told = placed(happened, input, root, ports);
	if (!earlier) return { ...base, ...judged(input, run, root, told, ports) };
	const repeated: HookAnswer = { ...base, output: earlier.output, repeated: true };
	if (earlier.isOwn) {
		// Where a failure must block, silence of another run is no word that the call may run: it may have failed itself.
		const isOpenToDoubt = run.profile === 'closed' && earlier.output === null && isCommandTool(input.fields.tool_name);
		return isOpenToDoubt && input.hook === 'PreToolUse' ? judgedAnew(base, input, run, root, told, ports) : repeated;
	}
	// What is only read from the file anybody may have written: its no stands, and nothing else is printed of it.
	const isNo = isFirmNo(input.hook, earlier.output);
	if (!isNo && GATED.includes(input.hook)) return judgedAnew(base, input, run, root, told, ports);
	ports.append(input.sessionId, untold(seal(told, input, run, ports), input, run, ports));
	return isNo ? repeated : { ...repeated, output: null };
}

/** Where something may be held up: no line in a file lets it pass. */
const GATED: readonly string[] = ['PreToolUse', 'PermissionRequest', 'Stop', 'SubagentStop', 'TaskCompleted'];

/** Whether an answer holds the hook up in the one form that nothing else in it can turn round. */
function isFirmNo(hook: string, output: HookOutput): boolean {
	if (hook === 'PreToolUse') return deniesCall(output);
	return ENDS.includes(hook) && output?.decision === 'block' && output.continue !== false;
}

/** The answer of a second judgement, told as far as no line says the same; begun is nothing again. */
function judgedAnew(
	base: Pick<HookAnswer, 'sessionId' | 'keys'>,
	input: HookInput,
	run: HookRun,
	root: string,
	told: DraftEvent[],
	ports: Ports,
): HookAnswer {
	try {
		const aside = asidePorts(ports);
		const again = judged(input, run, root, told, aside.ports);
		ports.append(input.sessionId, untold(aside.lines, input, run, ports));
		return { ...base, ...again, ...(!isDenial(again.output) && { repeated: true }) };
	} catch (error) {
		return reportFailure(error, input, run, ports);
	}
}

/** Judges what was not judged before, and tells it together with `told`. */
function judged(
	input: HookInput,
	run: HookRun,
	root: string,
	told: DraftEvent[],
	ports: Ports,
): Omit<HookAnswer, 'sessionId' | 'keys'> {
	// A reviewer's session is recorded and its calls are judged, but nobody sends the reviewer on or guides it.
	if (run.isReviewer && input.hook !== 'PreToolUse') {
		ports.append(input.sessionId, seal([...told, ...warnings(input, run, ports)], input, run, ports));
		return { output: null };
	}
	const tool = input.fields.tool_name;
	const spawn = input.hook === 'PreToolUse' ? spawnOf(input, root, ports) : null;
	const subagentCall = spawn !== null || isSubagentTool(tool);
	const plan = tellsPlan(input.hook, subagentCall) ? findPlan(root, ports) : { read: null };
	const beside = [...warnings(input, run, ports), ...planDraft(input, plan, ports)];
	const context = { input, run, root, plan, ports };
	if (input.hook !== 'PreToolUse' || typeof tool !== 'string') {
		const flows = workflowTakesPart(input, ports);
		if (!flows) ports.append(input.sessionId, seal([...told, ...beside], input, run, ports));
		const output = flows ? flowAnswer({ input, run, root, told, beside, ports }) : null;
		return ending(context, output);
	}
	const ahead = spawn ? context : ownWork(context);
	if (!ahead) {
		ports.append(input.sessionId, seal([...told, ...beside], input, run, ports));
		return completing(context, null);
	}

	const settings = findSettings(root, ports);
	const drafts = [...told, ...beside, ...problemDrafts(settings.problems, input, ports)];
	const start = { ...ahead, autoFix: isRepairing(ahead, subagentCall), tool, spawn, settings, drafts };
	const { sessionId } = input;
	const { started, ...done } =
		spawn && ports.flow.has(sessionId)
			? ports.flow.locked(sessionId, (flow) => startCall(start, flow, ports))
			: startCall(start, null, ports);
	if (spawn && started) trackTask(context, agentNameOf(spawn.subagentType), { how: 'executing' });
	return { ...done, ...(started && !spawn && completing(context, done.output)) };
}

/** What a hook that starts nothing prints, with what may wait for a person or an assessment. */
function ending(context: RouteCall, output: HookOutput): Pick<HookAnswer, 'output' | 'assess' | 'held'> {
	const { input, run, root, ports } = context;
	const held = input.hook === 'PermissionRequest' ? holdPermission(input, run, root, ports) : undefined;
	if (held) return { output, held };
	return completing(context, planTakesPart(input) ? routeAnswer(context, output) : output);
}

/** What a hook prints, with the wish for an assessment where it completes a task or starts one from the agent shell. */
function completing({ input, run, root, ports }: RouteCall, output: HookOutput): Pick<HookAnswer, 'output' | 'assess'> {
	const asked = { input, run, root, output };
	const spawn = wantShellSpawn(asked, ports);
	if (spawn && !spawn.deferred)
		ports.append(input.sessionId, seal(unratedSpawn(input), input, run, ports, 'assessment'));
	const assess = spawn ?? wantCompletion(asked, ports);
	return { output, ...(assess && { assess }) };
}

/**
 * What the gates of an agent's own work need of its call; null where none has a say. Files are looked for only where
 * they could matter: a plain call of another tool costs a single look.
 */
function ownWork(context: RouteCall): RouteCall | null {
	const { input, root, ports } = context;
	const enforced = enforcement(context);
	if (enforced || !isCommandTool(input.fields.tool_name)) return enforced;
	const { gates, commands, problems } = findSettings(root, ports);
	const isJudged = commands.exclude.length > 0 && gates.commandPolicy.enabled !== false;
	// A policy that cannot be read must not vanish in silence.
	return isJudged || problems.length > 0 ? context : null;
}

function enforcement(context: RouteCall): RouteCall | null {
	const { input, root, ports } = context;
	const tool = input.fields.tool_name;
	if (!isEnforcedTool(tool) || input.agentId !== undefined || root === '') return null;
	const plan = findPlan(root, ports);
	if (plan.read === null && tool !== 'EnterPlanMode') return null;
	return findSettings(root, ports).gates.routingEnforcer.enabled ? { ...context, plan } : null;
}

function isRepairing({ root, ports }: RouteCall, subagentCall: boolean): boolean {
	if (subagentCall) return false;
	const state = ports.readProjectFile(root, '.vibe-engine/auto-fix-state.json');
	return state.ok && isAutoFix(state.text, ports.now());
}

/** Gives a tool call's first event its id already here, because a repeated call is found by it. */
function named(told: DraftEvent[], input: HookInput, run: HookRun, ports: Ports): DraftEvent[] {
	const [first, ...rest] = told;
	if (!input.toolUseId || !first) return told;
	return [{ ...first, id: eventId(input, run, ports, first.type, 0) }, ...rest];
}

/** The first line of a timeline says where the session is, whichever hook it comes from: hooks may be registered late. */
function placed(told: DraftEvent[], input: HookInput, root: string, ports: Ports): DraftEvent[] {
	const [first, ...rest] = told;
	if (!first || !input.cwd || input.sessionId === HOME_SESSION || ports.hasTimeline(input.sessionId)) return told;
	return [{ ...first, cwd: input.cwd, project: basename(root) }, ...rest];
}

/** What is odd about the input or its environment. The environment's oddity is told once a session, not on every call. */
function warnings(input: HookInput, run: HookRun, ports: Ports): DraftEvent[] {
	const told: DraftEvent[] = input.warning ? [{ type: 'system:warning', ...input.warning }] : [];
	const names = (run.dropped ?? []).join(', ').slice(0, 500);
	if (names === '') return told;
	const id = contentId(ports, ['dropped', input.sessionId, names]);
	if (ports.recorded(input.sessionId, [id])) return told;
	const message = `Environment values were left out because they hold control bytes or are too long: ${names}`;
	return [...told, { type: 'system:warning', id, code: 'hook/dropped-environment', message }];
}

function problemDrafts(problems: readonly string[], input: HookInput, ports: Ports): DraftEvent[] {
	return problems.flatMap((message): DraftEvent[] => {
		const id = contentId(ports, ['settings', input.sessionId, message]);
		if (ports.recorded(input.sessionId, [id])) return [];
		return [{ type: 'system:warning', id, code: 'settings/ignored', message }];
	});
}
