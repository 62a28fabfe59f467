import { type Member, memberAt } from './json-members.ts';

/** With "deny" the agent reads a denial's reason, and a person can approve the call. */
export const onMismatch: Member = { path: ['gates', 'routing', 'onMismatch'], value: 'deny', keep: true };

/** Sessions without a workflow are pointed to /ot:auto, which only the plugin has. */
export const guided: Member = { path: ['workflow', 'enabled'], value: true, keep: true };

/** The value of `gates.routing.onMismatch` in a config text, or undefined. */
export function onMismatchIn(text: string, file: string): unknown {
	return memberAt(text, file, onMismatch.path);
}
