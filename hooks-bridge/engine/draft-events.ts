import { basename, dirname, isAbsolute, join } from 'node:path';
import type { AgentHook, HookAt, HookPoint } from '#lib/agents/agent-hook.ts';
import { agentTitle, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { type Deed, filesOf, type ToolCall } from '#lib/agents/tool-call.ts';
import type { PlanPhase } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { canonicalJson, isJson, textOf } from '#lib/json/json.ts';
import { agentNameOf, GENERAL_AGENT } from '#lib/routing/routing-state.ts';
import { clip } from '#lib/text/printable.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { HookRun } from '../ports/hook-run.ts';
import type { ReadPorts } from '../ports/ports.ts';
import { type FoundPlan, PLAN_PATH } from './facts.ts';

const MAX_TODOS = 200;

/** The events of a hook, without those of gates. Hooks of unknown kinds are recorded too, unfinished messages are not. */
export function draftEvents(hook: AgentHook, run: HookRun, root: string, ports: ReadPorts): DraftEvent[] {
	switch (hook.at) {
		case 'session-start':
			return [sessionStart(hook, run, root, ports)];
		case 'session-end':
			return [isOver(hook, ports) ? hookEvent(hook) : sessionEnd(hook)];
		case 'compact':
			return [{ type: 'session:compact', trigger: hook.trigger }];
		case 'prompt':
			return [promptSubmit(hook, run, root)];
		case 'call':
			return [toolCall(hook, ports)];
		case 'result':
			return toolResult(hook, ports);
		case 'failure':
			return [toolError(hook, ports)];
		case 'batch':
			return [{ type: 'hook:event', name: hook.name, fields: { tool_use_ids: hook.toolUseIds } }];
		case 'agent-start':
			return [hook.agentId ? agentStart(hook, ports) : hookEvent(hook)];
		case 'agent-end':
			return [agentComplete(hook) ?? hookEvent(hook)];
		case 'turn-failure':
			return [agentError(hook) ?? hookEvent(hook)];
		case 'notice':
			return [{ type: 'session:notice', message: hook.message, notice: hook.notice }];
		case 'message':
			return hook.isFinal ? [{ type: 'message:show', text: hook.text, messageId: hook.messageId }] : [];
		case 'permission':
		case 'task-end':
		case 'other':
			return [hookEvent(hook)];
		case 'interrupt':
		case 'turn-end':
			// Repeated, since an older version may have written the first line without it.
			return [{ ...hookEvent(hook), transcript: hook.transcript }];
	}
}

/** A hook without an event type of its own: its name, and its unchanged fields. */
export function hookEvent({ agent, name, raw, at }: AgentHook): DraftEvent {
	const draft: DraftEvent = { type: 'hook:event', name, fields: adapterOf(agent).restOf(raw) };
	return agent === FIRST_AGENT || at === 'other' ? draft : { ...draft, at };
}

/** Events of a session that are not its agent's work. */
const NOT_WORK = /^(?:system|model|permission|alarm|note|hook):|^session:notice$/;

/** Some clients report their end twice, Gemini CLI if a person quits it: the second report adds nothing. */
function isOver({ sessionId }: AgentHook, ports: ReadPorts): boolean {
	const types = ports.linesWith(sessionId, '"type"').map(({ type }) => String(type));
	return types.findLast((type) => !NOT_WORK.test(type)) === 'session:end';
}

function sessionEnd({ reason, transcript }: HookAt<'session-end'>): DraftEvent {
	return { type: 'session:end', reason, transcript };
}

function sessionStart(hook: HookAt<'session-start'>, run: HookRun, root: string, ports: ReadPorts): DraftEvent {
	const { source, model, version, transcript, cwd = run.cwd } = hook;
	return {
		type: 'session:start',
		source,
		model,
		version,
		cwd,
		project: basename(root),
		branch: branchOf(root, ports),
		transcript,
		pid: run.clientPid,
		...makeOf(hook),
		...(run.isReviewer && { reviewer: true }),
	};
}

function promptSubmit(hook: HookAt<'prompt'>, run: HookRun, root: string): DraftEvent {
	const { prompt, promptId, byClient, cwd = run.cwd } = hook;
	const source = byClient ? 'task' : 'user';
	return { type: 'prompt:submit', prompt, promptId, source, cwd, project: basename(root), ...makeOf(hook) };
}

/** The call as the model made it, with the digest of what is judged. */
function toolCall(hook: HookAt<'call'>, ports: ReadPorts): DraftEvent {
	const { tool, input } = hook.call;
	return { type: 'tool:call', tool, input, ...inputDigest(hook, ports), ...meaningOf(hook) };
}

/** Only for the first client does the tool's name alone determine what a call does. */
function meaningOf({ agent, call: { deed } }: HookAt<'call'>): { does?: string; asked?: string } {
	if (agent === FIRST_AGENT) return {};
	const requestedType = deed.does === 'start-agent' ? deed.requestedAgent.type?.slice(0, 200) : undefined;
	return { does: deed.does, ...(requestedType && { asked: requestedType }) };
}

/** The client, for the lines that say where a session is. */
export function makeOf({ agent }: AgentHook): { make?: string } {
	return agent === FIRST_AGENT ? {} : { make: agent };
}

/** The tool ran. For a call that starts a sub-agent the event also names that agent. */
function toolResult(hook: HookAt<'result'>, ports: ReadPorts): DraftEvent[] {
	const { call, response, durationMs, started } = hook;
	const result: DraftEvent = {
		type: 'tool:result',
		tool: call.tool,
		response,
		durationMs,
		...inputDigest(hook, ports),
		startedAgentId: started?.agentId,
		...(started && { background: started.background }),
	};
	return call.deed.does === 'update-todos' ? [result, todoUpdate(call.deed.todos)] : [result];
}

function toolError(hook: HookAt<'failure'>, ports: ReadPorts): DraftEvent {
	const { call, error, interrupt, durationMs } = hook;
	return { type: 'tool:error', tool: call.tool, error, ...inputDigest(hook, ports), interrupt, durationMs };
}

/** The digest that compares the judged input with the one that ran. */
function inputDigest(hook: HookAt<'call' | 'result' | 'failure'>, ports: ReadPorts): { inputDigest?: string } {
	return hook.toolUseId === undefined ? {} : { inputDigest: nameInput(hook, ports)[0] };
}

function todoUpdate(given: readonly unknown[]): DraftEvent {
	const todos = given
		.filter(isJson)
		.slice(0, MAX_TODOS)
		.map((todo) => ({
			content: textOf(todo.content, 200) ?? '',
			status: textOf(todo.status, 32) ?? 'pending',
			activeForm: textOf(todo.activeForm, 200),
			priority: textOf(todo.priority, 20),
		}));
	return { type: 'todo:update', todos };
}

/** Binds the agent's id, and its call if the client's own file about it already exists. */
function agentStart({ agent, agentType, metaFile }: HookAt<'agent-start'>, ports: ReadPorts): DraftEvent {
	const read = metaFile === undefined ? undefined : ports.readClientFile(metaFile);
	const toolUseId = read?.ok ? adapterOf(agent).callOfAgent?.(read.text) : undefined;
	return { type: 'agent:start', agent: agentNameOf(agentType) ?? GENERAL_AGENT, toolUseId };
}

/** Compaction reports the end of an agent without a type that never started: it is ignored. */
function agentComplete({ agentId, agentType, message }: HookAt<'agent-end'>): DraftEvent | null {
	const agent = agentNameOf(agentType);
	return agent && agentId ? { type: 'agent:complete', agent, message: message ?? null } : null;
}

/** A sub-agent whose API call failed reports no end. */
function agentError({ agentId, agentType, error, message }: HookAt<'turn-failure'>): DraftEvent | null {
	const agent = agentNameOf(agentType);
	if (!agent || !agentId) return null;
	return { type: 'agent:error', agent, reason: [error, message].filter(Boolean).join(': ') || 'unknown' };
}

/** The branch of the repository around `root`, also of a linked worktree; empty if detached or unreadable. */
function branchOf(root: string, ports: ReadPorts): string | undefined {
	const head = ports.readProjectFile(root, '.git/HEAD');
	if (head.ok) return refOf(head.text);
	const link = ports.readProjectFile(root, '.git');
	// A package of a monorepo is a project of its own.
	const isInside = isAbsolute(root) && dirname(root) !== root;
	if (!link.ok && link.why === 'absent' && isInside) return branchOf(dirname(root), ports);
	const folder = link.ok ? /^gitdir: (.{1,4000})$/m.exec(link.text)?.[1]?.trim() : undefined;
	if (!folder) return undefined;
	const linked = ports.readClientFile(join(isAbsolute(folder) ? folder : join(root, folder), 'HEAD'));
	return linked.ok ? refOf(linked.text) : undefined;
}

function refOf(head: string): string | undefined {
	return /^ref: refs\/heads\/([\x21-\x7e\u00a0-\uffff]{1,200})\s*$/.exec(head)?.[1];
}

/** Hooks at which the plan may have changed since it was last recorded. */
const PLAN_AT: readonly HookPoint[] = ['session-start', 'prompt', 'call', 'result', 'failure', 'agent-end', 'turn-end'];
const PLAN_NAME = basename(PLAN_PATH, '.json');
const MAX_DESCRIPTION = 200;
/** Most UTF-16 units of tasks in one event: at 3 bytes each they stay below the line's 64 KiB. */
const BUDGET = 14_000;

/** Whether this hook reads the plan; of calls only those that start a sub-agent or name the plan's file. */
export function readsPlan(hook: AgentHook): boolean {
	return PLAN_AT.includes(hook.at) && !('call' in hook && !concernsPlan(hook.call.deed));
}

/** A call that may write the plan: its content must be recorded right before and right after. */
function concernsPlan(deed: Deed): boolean {
	switch (deed.does) {
		case 'start-agent':
			return true;
		case 'edit-file':
			return filesOf(deed).some(({ path }) => path?.includes(PLAN_NAME) === true);
		case 'run-command':
		case 'run-shell':
			return deed.line?.includes(PLAN_NAME) === true;
		default:
			return false;
	}
}

/** routing:plan, once for each new content: its id is derived from the content, so all repeats have the same id. */
export function draftPlan({ sessionId }: AgentHook, { found }: FoundPlan, ports: ReadPorts): DraftEvent[] {
	if (!found) return [];
	const id = contentId(ports, ['plan', sessionId, found.text, String(found.mtimeMs)]);
	if (ports.recorded(sessionId, [id])) return [];
	const { planId, status, request, phases } = found.plan;
	return [{ type: 'routing:plan', id, planId, status, phases: withinBudget(phases), request, path: found.path }];
}

/** The plan's first tasks, as many as fit a line; agents and states are kept whole, descriptions are cut. */
function withinBudget(phases: readonly PlanPhase[]): PlanPhase[] {
	let left = BUDGET;
	const kept: PlanPhase[] = [];
	for (const phase of phases) {
		const tasks: PlanPhase['tasks'] = [];
		left -= 40;
		for (const task of phase.tasks) {
			const short =
				task.description === undefined ? task : { ...task, description: clip(task.description, MAX_DESCRIPTION) };
			left -=
				60 + short.agent.length + short.status.length + (short.id?.length ?? 0) + (short.description?.length ?? 0);
			if (left < 0) break;
			tasks.push(short);
		}
		if (left < 0 && tasks.length === 0) break;
		kept.push({ ...phase, tasks });
		if (left < 0) break;
	}
	return kept;
}

const PLACED: readonly unknown[] = ['session:start', 'prompt:submit'];

/**
 * Two clients may name one session, by accident or because one runs the other; they then share a timeline. Warns once for each of
 * them.
 */
export function draftSharedSession({ agent, at, sessionId }: AgentHook, ports: ReadPorts): DraftEvent[] {
	if ((at !== 'session-start' && at !== 'prompt') || sessionId === HOME_SESSION) return [];
	const placed = ports.linesWith(sessionId, '"cwd"').filter(({ type }) => PLACED.includes(type));
	const other = placed.map(({ make: client }) => String(client ?? FIRST_AGENT)).find((client) => client !== agent);
	if (other === undefined) return [];
	const id = contentId(ports, ['stranger', sessionId, agent]);
	if (ports.recorded(sessionId, [id])) return [];
	const message = `Hooks of ${agentTitle(agent)} come with the id of a session of ${agentTitle(other)}: what both do stands in this one.`;
	return [{ type: 'system:warning', id, code: 'session/two-makes', message }];
}

const ID_LENGTH = 32;

/**
 * The id of one event of a hook run. Events of a tool call are named by the call and its input, so that a second installation
 * records nothing twice, and an id reused for another input is a call of its own. All others are named by the run. `scope`
 * separates later events of a run, such as a release; `ordinal` counts those of one type.
 */
export function eventId(
	hook: AgentHook,
	run: HookRun,
	ports: ReadPorts,
	type: string,
	ordinal: number,
	scope = 'hook',
): string {
	const { sessionId, agentId = '', name, toolUseId } = hook;
	const key = toolUseId
		? ['call', sessionId, agentId, name, toolUseId, ...('call' in hook ? nameInput(hook, ports) : [])]
		: ['run', sessionId, run.requestId];
	return shortDigest(ports, [scope, ...key, type, String(ordinal)]);
}

/** An id derived from an event's content: the same content is recorded once. */
export function contentId(ports: Pick<ReadPorts, 'digest'>, parts: readonly string[]): string {
	return shortDigest(ports, ['content', ...parts]);
}

function shortDigest(ports: Pick<ReadPorts, 'digest'>, parts: readonly string[]): string {
	return ports.digest(JSON.stringify(parts)).slice(0, ID_LENGTH);
}

type CallHook = Extract<AgentHook, { call: ToolCall }>;

/** The digest of an input, and the JSON of what the digest leaves out. */
type InputName = readonly [digest: string, leftOut: string];

/** Inputs may be large, and a run names its input several times, so it is digested once. */
const names = new WeakMap<AgentHook, InputName>();

/** Two inputs that differ only in what the digest omits are two calls. */
function nameInput(hook: CallHook, ports: Pick<ReadPorts, 'digest'>): InputName {
	const known = names.get(hook);
	if (known) return known;
	const { tool, input } = hook.call;
	const ran = adapterOf(hook.agent).runInput(tool, input, hook.cwd);
	const name = [ports.digest(canonicalJson({ tool, input: ran })), ran === input ? '' : leftOut(input, ran)] as const;
	names.set(hook, name);
	return name;
}

function leftOut(input: unknown, ran: unknown): string {
	if (!isJson(input) || !isJson(ran)) return JSON.stringify(input);
	return JSON.stringify(Object.entries(input).filter(([name, value]) => ran[name] !== value));
}

/**
 * SHA-256 of a tool's name and canonical input, without what the client itself changes: what was judged, what a decision is bound
 * to, and what really ran.
 */
export function digestOfCall(
	{ tool, input }: Pick<ToolCall, 'tool' | 'input'>,
	{ agent, cwd }: Pick<AgentHook, 'agent' | 'cwd'>,
	ports: Pick<ReadPorts, 'digest'>,
): string {
	return ports.digest(canonicalJson({ tool, input: adapterOf(agent).runInput(tool, input, cwd) }));
}
