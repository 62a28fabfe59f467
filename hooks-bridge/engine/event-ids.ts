import type { HookInput } from '../agents/claude-code/read-input.ts';
import type { HookRun, Ports } from './ports.ts';

const ID_LENGTH = 32;

/**
 * The id of one event of a hook run (DESIGN 1, Ids). A tool call's events are named by the call, so that a second
 * installation's run tells nothing twice; all others by the run's request id. The call's input is part of its name:
 * an id used again for another input is another call and is judged anew. `scope` separates what is told later about
 * the same run, such as a release; `ordinal` counts the run's events of that type.
 */
export function eventId(
	input: HookInput,
	run: HookRun,
	ports: Ports,
	type: string,
	ordinal: number,
	scope = 'hook',
): string {
	const key = input.toolUseId
		? ['call', input.sessionId, input.agentId ?? '', input.hook, input.toolUseId, digestOf(input, ports)]
		: ['run', input.sessionId, run.requestId];
	return shortDigest(ports, [scope, ...key, type, String(ordinal)]);
}

/** Inputs may be large and a run has several events: digested once. */
const digests = new WeakMap<HookInput, string>();

function digestOf(input: HookInput, ports: Ports): string {
	const known = digests.get(input);
	if (known !== undefined) return known;
	const digest = ports.digest(JSON.stringify([input.fields.tool_name, input.fields.tool_input]));
	digests.set(input, digest);
	return digest;
}

/** An id for an event whose content is its identity: the same content is told once. */
export function contentId(ports: Ports, parts: readonly string[]): string {
	return shortDigest(ports, ['content', ...parts]);
}

function shortDigest(ports: Ports, parts: readonly string[]): string {
	return ports.digest(JSON.stringify(parts)).slice(0, ID_LENGTH);
}
