import { isDeepStrictEqual } from 'node:util';
import { type HookEntries, type HookGroup, isOurHandler } from './hook-entries.ts';
import { appendAt, removeAt, replaceAt } from './json-edit.ts';
import { readSettings, type Settings } from './settings-shape.ts';

/** A file that must not be touched; the message says why and what to do. */
export class SettingsRefused extends Error {}

/** Reads a settings text or throws SettingsRefused, naming the file. */
export function settingsOf(text: string, path: string): Settings {
	const read = readSettings(text);
	if (read.ok) return read.settings;
	throw new SettingsRefused(`${path} was not changed: ${read.problem}. Correct it and run the command again.`);
}

interface HandlerPosition {
	event: string;
	group: number;
	handler: number;
}

/** Positions of our handlers, last first, so that removing one does not move the others. */
export function ourHandlerPositions(settings: Settings): HandlerPosition[] {
	return Object.entries(settings.hooks ?? {})
		.flatMap(([event, groups]) =>
			groups.flatMap(({ hooks }, group) =>
				hooks.flatMap((handler, index) => (isOurHandler(handler) ? [{ event, group, handler: index }] : [])),
			),
		)
		.reverse();
}

function removeHandler(text: string, path: string, position: HandlerPosition): string {
	const { hooks } = settingsOf(text, path);
	const alone = hooks?.[position.event]?.[position.group]?.hooks.length === 1;
	const group = ['hooks', position.event, position.group];
	return removeAt(text, alone ? group : [...group, 'hooks', position.handler]);
}

/** Removes our handlers except those that are exactly as wanted, alone in their entry and once. */
function removeStale(text: string, path: string, wanted: HookEntries): string {
	const { hooks } = settingsOf(text, path);
	const kept = new Set<HookGroup>();
	let result = text;
	for (const position of ourHandlerPositions(settingsOf(text, path))) {
		const found = hooks?.[position.event]?.[position.group];
		const exact = wanted[position.event]?.find((group) => isDeepStrictEqual(found, group));
		if (exact && !kept.has(exact)) kept.add(exact);
		else result = removeHandler(result, path, position);
	}
	return result;
}

/** Removes empty lists of events that only an old version registered. */
function dropEmptied(text: string, result: string, path: string, wanted: HookEntries): string {
	let dropped = result;
	for (const event of new Set(ourHandlerPositions(settingsOf(text, path)).map((position) => position.event))) {
		const isEmpty = settingsOf(dropped, path).hooks?.[event]?.length === 0;
		if (isEmpty && wanted[event] === undefined) dropped = removeAt(dropped, ['hooks', event]);
	}
	return dropped;
}

function addGroup(text: string, path: string, event: string, group: HookGroup): string {
	const { hooks } = settingsOf(text, path);
	if (hooks === undefined) return appendAt(text, [], { [event]: [group] }, 'hooks');
	const groups = hooks[event];
	if (groups === undefined) return appendAt(text, ['hooks'], [group], event);
	if (groups.some((found) => isDeepStrictEqual(found, group))) return text;
	// A list that contained only an old entry of ours stays at its place in the file.
	return groups.length === 0 ? replaceAt(text, ['hooks', event], [group]) : appendAt(text, ['hooks', event], group);
}

/**
 * The text with exactly our wanted entries; all else stays, and a second merge changes nothing. Throws SettingsRefused for a text
 * that the client would not accept.
 */
export function mergeSettings(text: string, path: string, wanted: HookEntries): string {
	settingsOf(text, path);
	let result = dropEmptied(text, removeStale(text.trim() === '' ? '{}\n' : text, path, wanted), path, wanted);
	for (const [event, groups] of Object.entries(wanted)) {
		for (const group of groups) result = addGroup(result, path, event, group);
	}
	settingsOf(result, path);
	return result;
}

/**
 * The text without our entries. `before` is the text of before the first merge: its empty lists stay, and if nothing else has
 * changed it is the result.
 */
export function unmergeSettings(text: string, path: string, before: string | undefined, wanted: HookEntries): string {
	const original = before === undefined ? undefined : readSettings(before);
	if (before !== undefined && original?.ok && mergeSettings(before, path, wanted) === text) return before;
	const kept = original?.ok ? original.settings : {};
	let result = text;
	const places = ourHandlerPositions(settingsOf(text, path));
	for (const position of places) result = removeHandler(result, path, position);
	for (const event of new Set(places.map((position) => position.event))) {
		const isEmpty = settingsOf(result, path).hooks?.[event]?.length === 0;
		if (isEmpty && kept.hooks?.[event] === undefined) result = removeAt(result, ['hooks', event]);
	}
	const { hooks } = settingsOf(result, path);
	const isEmpty = places.length > 0 && hooks !== undefined && Object.keys(hooks).length === 0;
	return isEmpty && kept.hooks === undefined ? removeAt(result, ['hooks']) : result;
}
