import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { HookRun, ReadPorts } from '../ports/ports.ts';

const ID_LENGTH = 32;

/**
 * The id of one event of a hook run (DESIGN 1, Ids). A tool call's events are named by the call, so that a second
 * installation's run tells nothing twice; all others by the run's request id. The call's input is part of its name:
 * an id used again for another input is another call and is judged anew. `scope` separates what is told later about
 * the same run, such as a release; `ordinal` counts the run's events of that type.
 */
export function eventId(
	hook: AgentHook,
	run: HookRun,
	sight: ReadPorts,
	type: string,
	ordinal: number,
	scope = 'hook',
): string {
	const { sessionId, agentId = '', name, toolUseId } = hook;
	const key = toolUseId
		? ['call', sessionId, agentId, name, toolUseId, digestOf(hook, sight)]
		: ['run', sessionId, run.requestId];
	return shortDigest(sight, [scope, ...key, type, String(ordinal)]);
}

/** Inputs may be large and a run has several events: digested once. */
const digests = new WeakMap<AgentHook, string>();

function digestOf(hook: AgentHook, sight: ReadPorts): string {
	const known = digests.get(hook);
	if (known !== undefined) return known;
	const call = 'call' in hook ? hook.call : undefined;
	const digest = sight.digest(JSON.stringify([call?.tool, call?.input]));
	digests.set(hook, digest);
	return digest;
}

/** An id for an event whose content is its identity: the same content is told once. */
export function contentId(sight: Pick<ReadPorts, 'digest'>, parts: readonly string[]): string {
	return shortDigest(sight, ['content', ...parts]);
}

function shortDigest(sight: Pick<ReadPorts, 'digest'>, parts: readonly string[]): string {
	return sight.digest(JSON.stringify(parts)).slice(0, ID_LENGTH);
}
