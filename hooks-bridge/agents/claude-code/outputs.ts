import type { Profile } from '../../engine/ports.ts';
import { isJson } from './json.ts';

/** The one JSON object that a hook prints, or null for nothing. */
export type HookOutput = Record<string, unknown> | null;

/** An explicit allow of a tool call: printed only where DESIGN 5 says so. */
export function allowCall(extra: { systemMessage?: string; reason?: string; updatedInput?: unknown } = {}): HookOutput {
	return {
		continue: true,
		...(extra.systemMessage !== undefined && { systemMessage: extra.systemMessage }),
		hookSpecificOutput: {
			hookEventName: 'PreToolUse',
			permissionDecision: 'allow',
			...(extra.reason !== undefined && { permissionDecisionReason: extra.reason }),
			...(extra.updatedInput !== undefined && { updatedInput: extra.updatedInput }),
		},
	};
}

/** A denied tool call (seed 000). Form `stop` ends the whole turn; form `deny` lets the model read the reason. */
export function denyCall(form: 'stop' | 'deny', reason: string, systemMessage: string): HookOutput {
	return {
		...(form === 'stop' && { continue: false }),
		suppressOutput: false,
		systemMessage,
		hookSpecificOutput: {
			hookEventName: 'PreToolUse',
			permissionDecision: 'deny',
			permissionDecisionReason: reason,
		},
	};
}

/** Whether an answer denies a tool call in the one form that nothing else in it can turn into an allow. */
export function deniesCall(output: Readonly<Record<string, unknown>> | null): boolean {
	const specific = output?.hookSpecificOutput;
	return isJson(specific) && specific.permissionDecision === 'deny';
}

/** Whether an answer says no, in any of its forms. */
export function isDenial(output: Readonly<Record<string, unknown>> | null): boolean {
	return output?.decision === 'block' || output?.continue === false || deniesCall(output);
}

/** Text that the model reads with the hook's event. */
export function addContext(hook: string, additionalContext: string): { hookSpecificOutput: Record<string, unknown> } {
	return { hookSpecificOutput: { hookEventName: hook, additionalContext } };
}

/** One output of two: a block stands, messages and contexts are joined line by line. */
export function joinOutputs(one: HookOutput, other: HookOutput): HookOutput {
	if (one === null || other === null) return one ?? other;
	const joined: Record<string, unknown> = { ...one, ...other };
	for (const key of ['systemMessage', 'reason'] as const) {
		if (typeof one[key] === 'string' && typeof other[key] === 'string') joined[key] = `${one[key]}\n${other[key]}`;
	}
	const [mine, theirs] = [one.hookSpecificOutput, other.hookSpecificOutput];
	if (isJson(mine) && isJson(theirs)) {
		const contexts = [mine.additionalContext, theirs.additionalContext].filter((text) => typeof text === 'string');
		joined.hookSpecificOutput = { ...mine, ...theirs, additionalContext: contexts.join('\n') };
	}
	return joined;
}

/** What a profile prints when nothing can be judged (DESIGN 5). */
export function profileOutput(profile: Profile, reason: string): HookOutput {
	const message = `Signalbox: ${reason}`;
	switch (profile) {
		case 'observe':
		case 'supervisor':
			return null;
		case 'open':
			return { continue: true, systemMessage: message };
		case 'closed':
			return {
				hookSpecificOutput: {
					hookEventName: 'PreToolUse',
					permissionDecision: 'deny',
					permissionDecisionReason: message,
				},
			};
	}
}
