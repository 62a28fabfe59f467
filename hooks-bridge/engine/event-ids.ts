import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { ToolCall } from '#lib/agents/tool-call.ts';
import { canonicalJson, isJson } from '#lib/json/json.ts';
import { adapterOf } from '../agents/adapter-of.ts';
import type { HookRun, ReadPorts } from '../ports/ports.ts';

const ID_LENGTH = 32;

/**
 * The id of one event of a hook run. A tool call's events are named by the call, so that a second installation's run records
 * nothing twice; all others by the run's request id. The call's input is part of its name: an id used again for another input is
 * another call and is judged again. `scope` separates later events of the same run, such as a release; `ordinal` counts the run's
 * events of that type.
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

/** As `digestOfCall`, for the call of a hook. */
export function digestOfInput(hook: CallHook, ports: Pick<ReadPorts, 'digest'>): string {
	return nameInput(hook, ports)[0];
}

/**
 * What was judged, what a person's decision is bound to, and what really ran: SHA-256 of the tool's name and its canonical input,
 * without what the client itself changes of it. `hook` gives the client, and the folder of relative paths.
 */
export function digestOfCall(
	{ tool, input }: Pick<ToolCall, 'tool' | 'input'>,
	{ agent, cwd }: Pick<AgentHook, 'agent' | 'cwd'>,
	ports: Pick<ReadPorts, 'digest'>,
): string {
	return ports.digest(canonicalJson({ tool, input: adapterOf(agent).runInput(tool, input, cwd) }));
}
