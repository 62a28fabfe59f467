import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { sentence } from '#lib/messages/sentence.ts';
import { printable } from '#lib/text/printable.ts';
import { type HookEntries, isOurHandler, registerEvents } from '../setup/hook-entries.ts';
import { ourHandlerPositions } from '../setup/merge-settings.ts';
import { findOtherRegistrations, otherSettingsFiles } from '../setup/other-registrations.ts';
import { projectFiles } from '../setup/project-settings.ts';
import { readSettingsFile } from '../setup/read-text.ts';
import type { Settings } from '../setup/settings-shape.ts';
import type { Check, SetUp } from './check.ts';

const MANAGED = '/etc/claude-code/managed-settings.json';

function checkFiles(paths: readonly string[]): Check[] {
	const broken = paths.flatMap((path) => {
		const read = readSettingsFile(path);
		return read.ok ? [] : [{ path, problem: read.problem }];
	});
	if (broken.length === 0) return [{ state: 'ok', name: sentence('settings files'), detail: 'valid' }];
	return broken.map(({ path, problem }) => ({
		state: 'wrong',
		name: sentence('settings files'),
		detail: `${path}: ${problem}`,
		fix: sentence('correct the file; until then none of its hooks run, and the client does not say so'),
	}));
}

function checkDisabled(files: readonly ReadSettings[]): Check[] {
	return files
		.filter(({ settings }) => settings.disableAllHooks === true)
		.map(({ path }) => ({
			state: 'wrong',
			name: sentence('hooks enabled'),
			detail: sentence('disableAllHooks is set in {path}', { path }),
			fix: sentence('remove it there'),
		}));
}

/** The nearest folder above a project with our hooks; the user's own settings apply everywhere. */
function registeredAbove(project: string, configDir: string): string | undefined {
	const above = dirname(project);
	if (above === project) return undefined;
	const { settings } = projectFiles(above);
	const read = readSettingsFile(settings);
	const isFound = dirname(settings) !== configDir && read.ok && ourHandlerPositions(read.settings).length > 0;
	return isFound ? above : registeredAbove(above, configDir);
}

/** The other clients with registered hooks, and whether Claude Code is on this machine at all. */
export interface OtherAgents {
	titles: readonly string[];
	hasFirst: boolean;
}

function checkRegistered(
	settings: Settings,
	wanted: HookEntries,
	{ project, configDir }: SetUp,
	others: OtherAgents | undefined,
): Check[] {
	const name = sentence('hooks registered');
	const command = '`signalbox init`';
	const fix = sentence('run {command}', { command });
	const events = new Set(ourHandlerPositions(settings).map(({ event }) => event));
	if (events.size === 0) {
		const above = registeredAbove(project, configDir);
		if (above === undefined && others !== undefined && others.titles.length > 0) {
			const detail = sentence('none of Claude Code in this project, only of {agents}', {
				agents: others.titles.join(', '),
			});
			return [{ state: others.hasFirst ? 'warn' : 'note', name, detail, fix }];
		}
		if (above === undefined) return [{ state: 'wrong', name, detail: sentence('none in this project'), fix }];
		const detail = sentence('none here, only in {path}: a client that is started here does not read those', {
			path: printable(above),
		});
		const there = sentence('start the client there, or run {command} for this folder', { command });
		return [{ state: 'wrong', name, detail, fix: there }];
	}
	const total = Object.keys(registerEvents()).length;
	const missing = Object.keys(wanted).filter((event) => !events.has(event));
	if (missing.length > 0) {
		const filling = { count: total - missing.length, total, events: missing.join(', ') };
		return [{ state: 'wrong', name, detail: sentence('{count} of {total}; missing: {events}', filling), fix }];
	}
	const stale = Object.entries(wanted).filter(
		([event, groups]) =>
			!groups.every((group) => settings.hooks?.[event]?.some((found) => isDeepStrictEqual(found, group))),
	);
	if (stale.length === 0) return [{ state: 'ok', name, detail: `all ${total}` }];
	return [
		{
			state: 'warn',
			name,
			detail: sentence('{count} of {total} are of another version or were edited', { count: stale.length, total }),
			fix,
		},
	];
}

function checkTimeouts(settings: Settings): Check {
	const name = sentence('timeouts');
	const without = ourHandlerPositions(settings).filter(
		({ event, group, handler }) => !('timeout' in (settings.hooks?.[event]?.[group]?.hooks[handler] ?? {})),
	);
	if (without.length === 0) return { state: 'ok', name, detail: 'all explicit' };
	const events = printable([...new Set(without.map(({ event }) => event))].join(', '));
	const detail = sentence('none on {events}: no call can wait there', { events });
	return { state: 'wrong', name, detail, fix: sentence('run {command}', { command: '`signalbox init`' }) };
}

/**
 * Whether the client will run each hook once, and can hold the calls that need it. With `others`, another client may be the only
 * one here; without, missing hooks are wrong.
 */
export function checkSettings(setUp: SetUp, wanted: HookEntries, others?: OtherAgents): Check[] {
	const own = projectFiles(setUp.project).settings;
	const paths = [own, ...otherSettingsFiles(setUp.project, setUp.configDir)];
	const doubled = findOtherRegistrations(setUp.project, setUp.configDir);
	const read = readSettingsFile(own);
	const isUsed = read.ok && ourHandlerPositions(read.settings).length > 0;
	const readable = [...paths, MANAGED].flatMap((path) => {
		const file = readSettingsFile(path);
		return file.ok ? [{ path, settings: file.settings }] : [];
	});
	const hasHooks = readable.some(({ settings }) => ourHandlerPositions(settings).length > 0) || doubled.length > 0;
	return [
		...checkFiles(paths),
		...(read.ok && !(doubled.length > 0 && !isUsed) ? checkRegistered(read.settings, wanted, setUp, others) : []),
		...(isUsed ? [checkTimeouts(read.settings)] : []),
		...checkDisabled(readable),
		...(hasHooks ? checkForeign(readable, setUp.home) : []),
		...doubled.map(
			(where): Check => ({
				state: isUsed ? 'wrong' : 'note',
				name: isUsed ? sentence('registered twice') : sentence('registered elsewhere'),
				detail: where,
				...(isUsed && { fix: sentence('run {command}, or remove it there', { command: '`signalbox init --remove`' }) }),
			}),
		),
	];
}

interface ReadSettings {
	path: string;
	settings: Settings;
}

/** Events whose hooks can change a call's input after our hook judged it. */
const CHANGING: readonly string[] = ['PreToolUse', 'PermissionRequest'];

/** Variables that can give the hooks' process another home, program or client, or keep hooks from running. */
const TOUCHES_US =
	/^(?:OVERTONE_\w+|SIGNALBOX_\w+|CCC_\w+|HOME|PATH|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|IFS|NODE_\w+|LD_\w+|DYLD_\w+|CLAUDE_PID|COPILOT_PROJECT_DIR|CLAUDE_PROJECT_DIR|CLAUDE_CONFIG_DIR|CLAUDE_CODE_SIMPLE|CLAUDE_CODE_SHELL\w*)$/;
const SHOWN_CHARS = 120;

/** A cut text gets a digest, so that a change behind the cut is noticed. */
function shown(text: string): string {
	const cut = printable(text, SHOWN_CHARS);
	return cut === text ? text : `${cut} (${createHash('sha256').update(text).digest('hex').slice(0, 8)})`;
}

function nameOf(handler: Record<string, unknown>): string {
	const { command, url, prompt, tool } = handler;
	const [name] = [command, url, prompt, tool].filter((one) => typeof one === 'string');
	return shown(name ?? JSON.stringify(handler));
}

function foreignHooks({ path, settings }: ReadSettings): Check[] {
	return CHANGING.flatMap((event) =>
		(settings.hooks?.[event] ?? []).flatMap(({ hooks, matcher = '' }) =>
			hooks
				.filter((handler) => !isOurHandler(handler))
				.map((handler): Check => {
					const on = matcher === '' || matcher === '*' ? event : `${event} of ${shown(matcher)}`;
					const detail = sentence('another hook may change inputs after they were judged: {name} ({event} in {path})', {
						name: nameOf(handler),
						event: on,
						path,
					});
					const fix = sentence('remove it there, unless you trust it and all who can change what it runs');
					return { state: 'warn', name: sentence('hooks of others'), detail, fix };
				}),
		),
	);
}

function environment({ path, settings }: ReadSettings, home: string): Check[] {
	return Object.entries(settings.env ?? {}).flatMap(([key, value]): Check[] => {
		if (!TOUCHES_US.test(key) || (key === 'OVERTONE_HOME' && resolve(String(value)) === home)) return [];
		const detail = sentence(
			'{setting} = {value} in {path}: hooks run with it, and may find another home or program, or none',
			{ setting: `env.${key}`, value: shown(String(value)), path },
		);
		const fix = sentence('remove {setting} there, if you did not set it yourself', {
			setting: `env.${printable(key, 60)}`,
		});
		return [{ state: key === 'OVERTONE_HOME' ? 'wrong' : 'warn', name: sentence('environment of hooks'), detail, fix }];
	});
}

/** What else in the settings could get around our hooks: hooks of others that change inputs, and inherited variables. */
export function checkForeign(files: readonly ReadSettings[], home: string): Check[] {
	return files.flatMap((file) => [...environment(file, home), ...foreignHooks(file)]);
}
