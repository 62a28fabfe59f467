import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { sentence } from '#lib/messages/sentence.ts';
import { printable } from '#lib/text/printable.ts';
import { isOurHandler } from '../setup/hook-entries.ts';
import type { Settings } from '../setup/settings-shape.ts';
import type { Check } from './check.ts';

/** A settings file of the client that could be read. */
export interface ReadSettings {
	path: string;
	settings: Settings;
}

/** Events whose hooks may give the client another input than the one that ours were asked about. */
const CHANGING: readonly string[] = ['PreToolUse', 'PermissionRequest'];

/**
 * What a settings file may set for the hooks' own process that makes them find another home, another program or another
 * client, or that keeps the client from running hooks at all.
 */
const TOUCHES_US =
	/^(?:OVERTONE_\w+|SIGNALBOX_\w+|CCC_\w+|HOME|PATH|ENV|BASH_ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|IFS|NODE_\w+|LD_\w+|DYLD_\w+|CLAUDE_PID|COPILOT_PROJECT_DIR|CLAUDE_PROJECT_DIR|CLAUDE_CONFIG_DIR|CLAUDE_CODE_SIMPLE|CLAUDE_CODE_SHELL\w*)$/;
const SHOWN_CHARS = 120;

/** What is cut is told apart by its digest: a change behind the cut is a change. */
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
						...{ name: nameOf(handler), event: on, path },
					});
					const fix = sentence('remove it there, unless you trust it and whoever can write what it runs');
					return { state: 'warn', name: sentence('hooks of others#check'), detail, fix };
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
		return [
			{ state: key === 'OVERTONE_HOME' ? 'wrong' : 'warn', name: sentence('environment of hooks#check'), detail, fix },
		];
	});
}

/**
 * What stands beside our hooks in the client's settings and could get around them: hooks of others that may change an
 * input, and variables that the hooks themselves run with.
 */
export function checkForeign(files: readonly ReadSettings[], home: string): Check[] {
	return files.flatMap((file) => [...environment(file, home), ...foreignHooks(file)]);
}
