import { join } from 'node:path';
import { ENTRY_PROGRAM } from '#lib/commands/sandbox-entry.ts';
import { isJson } from '#lib/json/json.ts';
import { closedCommand } from './closed-command.ts';
import { backupChange, backupOf, type FileChange, restore } from './file-change.ts';
import { HOLD_MARGIN, type HookEntries, type HookGroup } from './hook-entries.ts';
import { appendAt, removeAt } from './json-edit.ts';
import { setMembers } from './json-members.ts';
import { mergeSettings, ourHandlerPositions, settingsOf, unmergeSettings } from './merge-settings.ts';
import { excludesCommands, settingsAt } from './project-settings.ts';
import { readIfThere } from './read-text.ts';

/**
 * The entry that denies command lines if the hook fails; none without excluded commands. It is in this machine's settings, since
 * a teammate may have no hook.
 */
export function closedEntries(home: string, project: string, holdSeconds: number): HookEntries {
	if (!excludesCommands(home, project)) return {};
	const timeout = holdSeconds + HOLD_MARGIN;
	const command = closedCommand(timeout);
	const group: HookGroup = {
		matcher: 'Bash',
		hooks: [{ type: 'command', command, timeout, onFailure: 'block' }],
	};
	return { PreToolUse: [group] };
}

/** What the local settings contain if commands are excluded. */
export interface LocalEntries {
	hooks: HookEntries;
	/** The client's permission rules for the sandbox entry. */
	rules: readonly string[];
}

/** What a project's local settings need. */
export function localEntries(home: string, project: string, holdSeconds: number): LocalEntries {
	const hooks = closedEntries(home, project, holdSeconds);
	const isEnforced = Object.keys(hooks).length > 0 && settingsAt(home, project).commands.enforce === 'sandbox';
	return { hooks, rules: isEnforced ? sandboxRules(join(home, 'bin', ENTRY_PROGRAM)) : [] };
}

function hasOurs(text: string | undefined, path: string): boolean {
	// An unreadable file is refused only if it may contain an entry of ours.
	return text?.includes('hook.sh') === true && ourHandlerPositions(settingsOf(text, path)).length > 0;
}

/**
 * The change to the local settings; `text` is their content so far. Throws SettingsRefused for a file that the client would not
 * accept.
 */
export function planClosed(local: string, { hooks, rules }: LocalEntries, text = readIfThere(local)): FileChange[] {
	const before = readIfThere(local);
	const isWanted = Object.keys(hooks).length > 0;
	const hasEntry = hasOurs(before, local);
	if (!isWanted && !hasEntry) return text === before ? [] : [{ path: local, before, after: text }];
	const backup = readIfThere(backupOf(local));
	const isFirst = !hasEntry && backup === undefined;
	const merged = mergeSettings(text ?? '', local, hooks);
	const after = setSandboxRules(merged, local, isFirst ? before : backup, rules);
	return [backupChange(local, before, isFirst), { path: local, before, after }];
}

/** Removes the entry from the local settings, after `drop` has removed everything else of ours. */
export function removeClosed(
	local: string,
	{ hooks }: LocalEntries,
	drop?: (text: string, before: string | undefined) => string,
): FileChange[] {
	if (!drop && !hasOurs(readIfThere(local), local)) return [];
	return restore(local, (text, before) => {
		const rest = dropSandboxRules(drop ? drop(text, before) : text, local, before);
		return hasOurs(rest, local) ? unmergeSettings(rest, local, before, hooks) : rest;
	});
}

const LIST = ['permissions', 'allow'] as const;
const EXIT = 'Bash(exit)';
const OURS = new RegExp(`^Bash\\(.*/bin/${ENTRY_PROGRAM.replace('.', '\\.')}:\\*\\)$`);
/** A rule contains a path literally; other characters could be wildcards. */
const PLAIN = /^[\w./@+,=%-]+$/;

/** Permission rules for `program`, the entry before a line, and for the `exit` behind it. */
const sandboxRules = (program: string): string[] => (PLAIN.test(program) ? [`Bash(${program}:*)`, EXIT] : []);

/** Sets exactly these rules of ours in `permissions.allow`. Throws SettingsRefused. */
function setSandboxRules(text: string, path: string, before: string | undefined, rules: readonly string[]): string {
	const others = allowed(text, path).filter((rule) => OURS.test(rule) && !rules.includes(rule));
	let result = others.length > 0 ? dropSandboxRules(text, path, before) : text;
	const missing = rules.filter((rule) => !allowed(result, path).includes(rule));
	if (missing.length === 0) return result;
	const { permissions } = settingsOf(result, path);
	if (!isJson(permissions) || permissions.allow === undefined)
		return setMembers(result, path, [{ path: LIST, value: missing }]);
	// A value that is not a list stays: the client reports it.
	if (!Array.isArray(permissions.allow)) return result;
	for (const rule of missing) result = appendAt(result, LIST, rule);
	return result;
}

/** Removes these rules; those in `before`, and `exit` without ours, are the person's. */
function dropSandboxRules(text: string, path: string, before: string | undefined): string {
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
