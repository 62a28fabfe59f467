import { ENTRY_PROGRAM } from '#lib/commands/sandbox-entry.ts';
import { isJson } from '#lib/json/json.ts';
import { appendAt, removeAt } from './json-edit.ts';
import { putMembers } from './json-members.ts';
import { settingsOf } from './merge-settings.ts';

const LIST = ['permissions', 'allow'] as const;
const EXIT = 'Bash(exit)';
const OURS = new RegExp(`^Bash\\(.*/bin/${ENTRY_PROGRAM.replace('.', '\\.')}:\\*\\)$`);
/** A rule holds a path as it is: with other characters it might mean more than one. */
const PLAIN = /^[\w./@+,=%-]+$/;

/** The permission rules by which the client asks about neither `program`, the entry before a line, nor the `exit` behind it. */
export const sandboxRules = (program: string): string[] => (PLAIN.test(program) ? [`Bash(${program}:*)`, EXIT] : []);

/** The text with exactly these rules of ours in `permissions.allow`. Throws SettingsRefused. */
export function putSandboxRules(
	text: string,
	path: string,
	before: string | undefined,
	rules: readonly string[],
): string {
	const others = allowed(text, path).filter((rule) => OURS.test(rule) && !rules.includes(rule));
	let result = others.length > 0 ? dropSandboxRules(text, path, before) : text;
	const missing = rules.filter((rule) => !allowed(result, path).includes(rule));
	if (missing.length === 0) return result;
	const { permissions } = settingsOf(result, path);
	if (!isJson(permissions) || permissions.allow === undefined)
		return putMembers(result, path, [{ path: LIST, value: missing }]);
	// What is no list is left to the client, which says so.
	if (!Array.isArray(permissions.allow)) return result;
	for (const rule of missing) result = appendAt(result, LIST, rule);
	return result;
}

/** The text without these rules; those that stood in `before`, and `exit` without ours beside it, are the person's. */
export function dropSandboxRules(text: string, path: string, before: string | undefined): string {
	const kept = before === undefined ? [] : allowed(before, path);
	if (!allowed(text, path).some((rule) => OURS.test(rule) && !kept.includes(rule))) return text;
	let result = text;
	for (const [at, rule] of [...allowed(text, path).entries()].reverse()) {
		if ((OURS.test(rule) || rule === EXIT) && !kept.includes(rule)) result = removeAt(result, [...LIST, at]);
	}
	const old = before === undefined || before.trim() === '' ? {} : settingsOf(before, path);
	if (allowed(result, path).length > 0 || (isJson(old.permissions) && old.permissions.allow !== undefined))
		return result;
	result = removeAt(result, LIST);
	const { permissions } = settingsOf(result, path);
	const isEmpty = isJson(permissions) && Object.keys(permissions).length === 0;
	return isEmpty && old.permissions === undefined ? removeAt(result, ['permissions']) : result;
}

function allowed(text: string, path: string): string[] {
	const { permissions } = text.trim() === '' ? { permissions: undefined } : settingsOf(text, path);
	const list: unknown = isJson(permissions) ? permissions.allow : undefined;
	return Array.isArray(list) ? list.map(String) : [];
}
