import { basename } from 'node:path';
import type { AgentHook, HookAt, HookPoint } from '#lib/agents/agent-hook.ts';
import { agentTable } from '#lib/agents/agent-table.ts';
import { inputWithLine } from '#lib/agents/read-deed.ts';
import type { Deed, DeedKind, SkillFiles, ToolCall } from '#lib/agents/tool-call.ts';
import { withoutSandboxEntry } from '#lib/commands/sandbox-entry.ts';
import { readSkillHeader } from '#lib/commands/skill-header.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import { isDenial, joinDecisions } from '#lib/gates/gate.ts';
import { concernedGates, mayBeJudged } from '#lib/gates/gate-table.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { canonicalJson } from '#lib/json/json.ts';
import { completionCall } from '#lib/validators/completion-call.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { HookAnswer } from '../ports/hook-answer.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { FileRead, HookRequest, Ports, ReadPorts } from '../ports/ports.ts';
import { decideCall, decideEnd, holdPermission, wantAssessment } from './decide-call.ts';
import { contentId, draftEvents, draftPlan, draftSharedSession, eventId, makeOf, readsPlan } from './draft-events.ts';
import { createHookContext, type HookContext, lockHookContext, projectRoot } from './facts.ts';
import {
	eventsOnly,
	failureWords,
	findNew,
	joinRulings,
	perform,
	type Ruling,
	recordEvents,
	refuseInput,
	reportFailure,
	seal,
} from './record.ts';
import { decideRoute } from './routing/decide-route.ts';
import { decideFlow } from './workflow/decide-flow.ts';
import { draftNotes, ENRICHED, mayEndAgents } from './workflow/flow-call.ts';

/** An answer before an adapter prints it. */
type Answered = Omit<HookAnswer, 'output'> & {
	decision: HookDecision | null;
	/** Why nothing could be judged: the profile answers instead. */
	unjudged?: string;
};

/**
 * Records one hook input on the session's timeline and returns the JSON to print. `raw` is stdin's text or its object. Never
 * throws: unreadable input and failures inside give the profile's answer with the reason, and a `system:warning` event.
 */
export function respond(raw: unknown, run: HookRun, ports: Ports): HookAnswer {
	const adapter = adapterOf(run.agent);
	const read = adapter.read(raw);
	if (!read.ok) return refuseInput(raw, read.reason, run, ports);
	let { hook } = read;
	try {
		const root = projectRoot(hook, run, ports);
		hook = findSkillAgent(nameCall(withoutEntry(hook), run, ports), root, ports);
		const { decision, unjudged, ...answered } = answerHook({ hook, run, root, ports });
		const output =
			unjudged === undefined ? adapter.print(decision, hook) : adapter.printUnjudged(run.profile, unjudged);
		return { ...answered, output };
	} catch (error) {
		recordAnyway(hook, run, ports);
		return reportFailure(error, hook, run, ports);
	}
}

/** A hook with the command as the agent wrote it: the client reports back the one that was changed for the sandbox. */
function withoutEntry(hook: AgentHook): AgentHook {
	if (hook.at !== 'result' && hook.at !== 'failure' && hook.at !== 'permission') return hook;
	const { tool, input, deed } = hook.call;
	if (deed.does !== 'run-command' || deed.line === null) return hook;
	const line = withoutSandboxEntry(deed.line);
	if (line === deed.line) return hook;
	return { ...hook, call: adapterOf(hook.agent).readCall(tool, inputWithLine(input, line), hook.raw) };
}

/** Records the hook even if nothing can be judged, unless it was recorded before the failure. */
function recordAnyway(hook: AgentHook, run: HookRun, ports: Ports): void {
	try {
		const root = projectRoot(hook, run, ports);
		recordNew({ hook, run, root, ports }, draftEvents(hook, run, root, ports));
	} catch {
		// The failure is reported anyway.
	}
}

function recordNew({ hook, run, ports }: HookRequest, drafts: readonly DraftEvent[]): void {
	ports.append(hook.sessionId, findNew(seal(drafts, hook, run, ports), hook, run, ports));
}

function answerHook(request: HookRequest): Answered {
	const { hook, run, root, ports } = request;
	const happened = withCallId(draftEvents(hook, run, root, ports), request);
	// A run is identified by its request id; a tool call also by the id of its first event, of any run.
	const keys = [run.requestId, ...(happened[0]?.id === undefined ? [] : [happened[0].id])];
	const base = { sessionId: hook.sessionId, keys };
	const earlier = ports.recorded(hook.sessionId, keys);
	const drafts = withProject(happened, request);
	if (!earlier) return { ...base, ...decideAndCommit(request, drafts) };
	const repeated: Answered = { ...base, decision: earlier.decision, repeated: true };
	if (earlier.isOwn) {
		// A fail-closed hook does not accept an empty answer of another run, which may have failed itself.
		const isOpenToDoubt = run.profile === 'closed' && earlier.decision === null && hook.at === 'call';
		return isOpenToDoubt ? decideAgain(base, request, drafts) : repeated;
	}
	// Anybody may have written the file, so only a denial is accepted from a recorded answer.
	const isNo = isFirmNo(hook, earlier.decision);
	if (!isNo && GATED.includes(hook.at)) return decideAgain(base, request, drafts);
	recordNew(request, drafts);
	return isNo ? repeated : { ...repeated, decision: null };
}

/** Points at which a gate may deny: a line in a file must not let a hook pass there. */
const GATED: readonly HookPoint[] = ['call', 'permission', 'turn-end', 'agent-end', 'task-end'];

/** Whether an answer stops the hook; one that ends the turn lets the agent stop. */
function isFirmNo({ at }: AgentHook, decision: HookDecision | null): boolean {
	if (!isDenial(decision)) return false;
	return at === 'call' || ((at === 'turn-end' || at === 'agent-end') && decision?.endsTurn !== true);
}

/** Judges a second time and records what differs from the recorded lines; the first run performed its effects. */
function decideAgain(
	base: Pick<HookAnswer, 'sessionId' | 'keys'>,
	request: HookRequest,
	drafts: DraftEvent[],
): Answered {
	const { hook, run, root, ports } = request;
	try {
		const {
			events,
			effects: _begun,
			isJudged: _judged,
			...ruling
		} = decideHook(hook, run, createHookContext(hook, run, root, ports), drafts);
		recordNew(request, events);
		return { ...base, ...ruling, ...(!isDenial(ruling.decision) && { repeated: true }) };
	} catch (error) {
		const { problem } = reportFailure(error, hook, run, ports);
		return { ...base, decision: null, unjudged: failureWords(error), ...(problem && { problem }) };
	}
}

type Decided = Omit<Answered, 'sessionId' | 'keys'>;

/** Judges, records, then performs the effects; workflow decisions are made under the workflow's lock. */
function decideAndCommit(request: HookRequest, drafts: DraftEvent[]): Decided {
	const { hook, run, root, ports } = request;
	const context = createHookContext(hook, run, root, ports);
	const isLocked = !run.isReviewer && changesWorkflow(hook) && ports.flow.has(hook.sessionId);
	const decideIn = (seen: HookContext, notes: readonly DraftEvent[]): Decided & Pick<Ruling, 'effects'> => {
		const { events, ...ruling } = decideHook(hook, run, seen, drafts);
		try {
			recordEvents(request, [...notes, ...events], { later: !isLocked && ruling.effects.length === 0 });
			return ruling;
		} catch (error) {
			return { ...failToRecord(request, ruling, error), effects: [] };
		}
	};
	if (isLocked) readFilesFirst(hook, context);
	const { effects, ...decided } = isLocked
		? ports.flow.locked(hook.sessionId, (flow) => decideIn(lockHookContext(context, flow), draftNotes(flow)))
		: decideIn(context, []);
	const { decision, problem } = perform(request, effects);
	const joined = decision === null ? decided.decision : joinDecisions(decided.decision, decision);
	return { ...decided, decision: joined, ...(problem && { problem }) };
}

/** Project files are read before a session is locked. */
function readFilesFirst({ at }: AgentHook, context: HookContext): void {
	context.foundPlan();
	if (at === 'session-start' || at === 'turn-end') context.tasks();
}

/** If nothing can be written, a verdict on a call remains; other hooks get their profile's answer. No effects. */
function failToRecord(
	request: HookRequest,
	{ decision, isJudged, effects }: Omit<Ruling, 'events'>,
	error: unknown,
): Decided {
	const { hook, run, ports } = request;
	try {
		const message = `Not done, since nothing could be written: ${[...new Set(effects.map(({ does }) => does))].join(', ')}.`;
		if (effects.length > 0)
			recordEvents(request, [{ type: 'system:warning', code: 'hook/not-done', message }], { scope: 'not-done' });
	} catch {
		// The warning waits with the hook's lines, or is counted with the lost ones.
	}
	const { problem } = reportFailure(error, hook, run, ports);
	return { decision, ...(problem && { problem }), ...(!isJudged && { unjudged: failureWords(error) }) };
}

/** Sets the id of a tool call's first event already here, because a repeated call is found by it. */
function withCallId(drafts: DraftEvent[], { hook, run, ports }: HookRequest): DraftEvent[] {
	const [first, ...rest] = drafts;
	if (!hook.toolUseId || !first) return drafts;
	return [{ ...first, id: eventId(hook, run, ports, first.type, 0) }, ...rest];
}

/** A timeline's first line says where the session is, whichever hook writes it: hooks may be registered late. */
function withProject(drafts: DraftEvent[], { hook, root, ports }: HookRequest): DraftEvent[] {
	const [first, ...rest] = drafts;
	const { sessionId, cwd, transcript } = hook;
	if (!first || sessionId === HOME_SESSION || ports.hasTimeline(sessionId)) return drafts;
	const source = cwd && { cwd, project: basename(root), ...makeOf(hook) };
	return [{ ...first, ...source, ...(transcript && { transcript }) }, ...rest];
}

const unnamed: readonly string[] = agentTable.filter(({ can }) => !can.callIds).map(({ name }) => name);

interface OpenCall {
	id: string;
	isDenied: boolean;
	isApproved: boolean;
}

/**
 * Gives a call without an id one made of tool, input and run, so that equal calls stay apart. An outcome belongs to the newest
 * open call like it, denied ones last; after a person changed the input, to the approved call of that tool.
 */
function nameCall(hook: AgentHook, run: HookRun, readPorts: Pick<ReadPorts, 'digest' | 'linesWith'>): AgentHook {
	if (hook.toolUseId !== undefined || !unnamed.includes(hook.agent)) return hook;
	if (hook.at !== 'call' && hook.at !== 'result' && hook.at !== 'failure') return hook;
	const short = (text: string) => readPorts.digest(text).slice(0, 10);
	const ofTool = `${short(`${hook.agentId ?? ''} ${hook.call.tool}`)}-`;
	const ofCall = `${ofTool}${short(inputOf(hook.call))}-`;
	const own = `${ofCall}${short(run.requestId)}`;
	if (hook.at === 'call') return { ...hook, toolUseId: own };
	const open = openCalls(readPorts.linesWith(hook.sessionId, ofTool), ofTool);
	const same = open.filter(({ id }) => id.startsWith(ofCall));
	const found = same.find(({ isDenied }) => !isDenied) ?? same[0] ?? open.find(({ isApproved }) => isApproved);
	return { ...hook, toolUseId: found?.id ?? own };
}

const inputOf = ({ input }: ToolCall): string => canonicalJson(input);

function openCalls(lines: readonly Readonly<Record<string, unknown>>[], prefix: string): OpenCall[] {
	const open = new Map<string, OpenCall>();
	for (const { type, toolUseId: id, decision } of lines) {
		if (typeof id !== 'string' || !id.startsWith(prefix)) continue;
		const call = open.get(id);
		if (type === 'tool:call') open.set(id, { id, isDenied: false, isApproved: false });
		else if (type === 'tool:result' || type === 'tool:error') open.delete(id);
		else if (call) judgeOpen(call, type, decision);
	}
	return [...open.values()].reverse();
}

function judgeOpen(call: OpenCall, type: unknown, decision: unknown): void {
	if (type === 'gate:verdict' && decision !== 'pass') call.isDenied = true;
	if (type === 'grant:use') call.isDenied = false;
	if (type === 'approval:resolve' && decision === 'approve') Object.assign(call, { isDenied: false, isApproved: true });
	if (type === 'approval:late') Object.assign(call, { isDenied: true, isApproved: false });
}

/**
 * A skill that runs in an agent of its own starts an agent. If its file is neither the project's nor the person's, the call stays
 * a skill; should an agent appear after all, that is an incident.
 */
export function findSkillAgent(hook: AgentHook, root: string, readPorts: ReadPorts): AgentHook {
	if (hook.at !== 'call' || hook.call.deed.does !== 'use-skill') return hook;
	const file = skillFile(hook.call.deed.files, root, readPorts);
	const { context, agent } = file?.ok ? readSkillHeader(file.text) : {};
	if (context !== 'fork') return hook;
	const deed: Deed = { does: 'start-agent', requestedAgent: { type: agent ?? null }, by: 'skill' };
	return { ...hook, call: { ...hook.call, deed } };
}

function skillFile({ project, machine }: SkillFiles, root: string, readPorts: ReadPorts): FileRead | undefined {
	const own = root === '' ? [] : project.map((path) => () => readPorts.readProjectFile(root, path));
	const persons = machine.map((path) => () => readPorts.readClientFile(path));
	for (const read of [...own, ...persons]) {
		const file = read();
		if (file.ok) return file;
	}
	return undefined;
}

/** Judges a hook without changing anything. `drafts`: the events that the hook itself reports. */
function decideHook(hook: AgentHook, run: HookRun, context: HookContext, drafts: readonly DraftEvent[]): Ruling {
	const warned = [...draftWarnings(hook, run, context.ports), ...draftSharedSession(hook, context.ports)];
	// A reviewer's session is recorded and its calls are judged, but the reviewer is never made to continue or guided.
	if (run.isReviewer && hook.at !== 'call') return eventsOnly([...drafts, ...warned]);
	const beside = [...warned, ...(readsPlan(hook) ? draftPlan(hook, context.foundPlan(), context.ports) : [])];
	if (hook.at === 'call') {
		const began = context.ports.now();
		const isOutside = !mayBeJudged(hook) && !isAssessable(hook);
		const happened = eventsOnly([...drafts, ...beside, ...(isOutside ? [] : draftProblems(hook, context))]);
		if (isOutside) return happened;
		const concerned = concernedGates(hook, context);
		// If no gate concerns the call, the engine need not be loaded.
		const isPlain = concerned.length === 0 && !needsEngine(hook, run);
		return isPlain ? happened : joinRulings(happened, decideCall(hook, run, context, { began, concerned }));
	}
	const judged = hook.at !== 'turn-end' && mayBeJudged(hook) ? decideEnd(hook, context) : eventsOnly([]);
	const flow = concernsWorkflow(hook, context) ? decideFlow({ hook, reported: drafts, context }) : eventsOnly(drafts);
	const decided = joinRulings(joinRulings(flow, eventsOnly(beside)), judged);
	const held = hook.at === 'permission' ? holdPermission(hook, run, context) : undefined;
	if (held) return { ...decided, held };
	const ruling = ROUTED.includes(hook.at) ? joinRulings(decided, decideRoute(hook, context)) : decided;
	const assess = isAssessable(hook) ? wantAssessment(hook, run, context, ruling.decision) : undefined;
	return { ...ruling, ...(assess && { assess }) };
}

/** Deeds that a model may assess. */
const ASSESSED: readonly DeedKind[] = ['start-agent', 'run-shell', 'complete-task', 'update-todos', 'edit-file'];

/** Whether a model may assess a hook, decided without reading a file; for nearly every hook its point and deed say it. */
function isAssessable(hook: AgentHook): boolean {
	const mayBe = hook.at === 'call' ? ASSESSED.includes(hook.call.deed.does) : hook.at === 'task-end';
	return mayBe && ((hook.at === 'call' && spawnRequest(hook.call) !== null) || completionCall(hook) !== null);
}

/** Whether the engine decides a call that concerns no gate: it starts an agent, fails closed, or a model may assess it. */
function needsEngine(hook: HookAt<'call'>, { profile }: HookRun): boolean {
	return hook.call.deed.does === 'start-agent' || profile === 'closed' || isAssessable(hook);
}

/** Problems of the settings, reported once a session. */
function draftProblems({ sessionId }: AgentHook, { settings, ports }: HookContext): DraftEvent[] {
	return settings.problems.flatMap((message): DraftEvent[] => {
		const id = contentId(ports, ['settings', sessionId, message]);
		if (ports.recorded(sessionId, [id])) return [];
		return [{ type: 'system:warning', id, code: 'settings/ignored', message }];
	});
}

/** Warnings about the input or its environment. Those about the environment are recorded once a session, not on every call. */
function draftWarnings({ sessionId, warning }: AgentHook, { dropped = [] }: HookRun, ports: ReadPorts): DraftEvent[] {
	const drafts: DraftEvent[] = warning ? [{ type: 'system:warning', ...warning }] : [];
	const names = dropped.join(', ').slice(0, 500);
	if (names === '') return drafts;
	const id = contentId(ports, ['dropped', sessionId, names]);
	if (ports.recorded(sessionId, [id])) return drafts;
	const message = `Environment values were left out because they hold control bytes or are too long: ${names}`;
	return [...drafts, { type: 'system:warning', id, code: 'hook/dropped-environment', message }];
}

/** An agent or a turn ends, so a running workflow may advance. */
const ENDS: readonly HookPoint[] = ['agent-end', 'turn-end'];
/** The agent may get guidance, also without a running workflow. */
const GUIDES: readonly HookPoint[] = ['session-start', 'compact', 'prompt'];
/** A tool ran, which may be observed. */
const TOOLS: readonly HookPoint[] = ['result', 'failure'];
/** A routing plan is made, or a task of it is marked. */
const ROUTED: readonly HookPoint[] = ['agent-end', 'turn-failure', 'failure', 'prompt'];

/** Calls of these kinds are observed, also without a running workflow if the settings switch workflows on (seed 001). */
const OBSERVED: readonly string[] = ['run-command', 'edit-file'];

/**
 * Whether the hook concerns the session's workflow, or is a stop, which a plan may refuse too. Costs at most one query of the
 * disk and the settings.
 */
function concernsWorkflow(hook: AgentHook, context: HookContext): boolean {
	const { at, sessionId } = hook;
	if (GUIDES.includes(at) || at === 'turn-end') return true;
	if (![ENDS, TOOLS, ENRICHED].some((points) => points.includes(at))) return false;
	if (context.ports.flow.has(sessionId)) return true;
	const isSeen = (hook.at === 'result' || hook.at === 'failure') && OBSERVED.includes(hook.call.deed.does);
	return isSeen && context.settings.workflow.enabled === true;
}

/** Whether the hook changes the session's workflow: then it is judged and recorded under the workflow's lock. */
function changesWorkflow(hook: AgentHook): boolean {
	if (hook.at === 'call') return hook.call.deed.does === 'start-agent';
	return ENDS.includes(hook.at) || mayEndAgents(hook);
}
