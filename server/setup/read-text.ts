import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readBoundedBytes } from '#hooks-bridge/disk/bounded-read.ts';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { printable } from '#lib/text/printable.ts';
import { SettingsRefused } from './merge-settings.ts';
import { readSettings, type SettingsRead } from './settings-shape.ts';

/** The text of a file, undefined if there is none; or why it cannot be used, in words for a person. */
export type TextRead = { ok: true; text: string | undefined } | { ok: false; problem: string };

/** Writing would replace a dead link by a file of ours, so it is not the same as a missing file. */
function deadLinkAt(path: string): string | undefined {
	for (const candidate of [path, dirname(path)]) {
		if (
			lstatSync(candidate, { throwIfNoEntry: false })?.isSymbolicLink() &&
			!statSync(candidate, { throwIfNoEntry: false })
		) {
			const which = candidate === path ? 'it' : printable(candidate);
			return `${which} is a link to ${printable(readlinkSync(candidate))}, which does not exist`;
		}
	}
	return undefined;
}

function problemOf(error: unknown, path: string): string {
	const code = systemErrorCode(error);
	switch (code) {
		case 'ENOTDIR':
			return `${printable(dirname(path))} is not a folder`;
		case 'ELOOP':
			return 'it is a link that leads back to itself';
		case 'EACCES':
		case 'EPERM':
			return 'it may not be read by you';
		default:
			return `it cannot be read (${code || printable(String(error))})`;
	}
}

/**
 * Reads a file that a cloned project may contain: regular, at most 1 MiB of UTF-8, through links. Never waits or throws. Writing
 * it back gives the same bytes.
 */
export function readText(path: string): TextRead {
	try {
		const real = realpathSync(path);
		const read = readBoundedBytes(real);
		if (read.ok) {
			const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
			return { ok: true, text: decoder.decode(read.bytes) };
		}
		switch (read.why) {
			case 'absent':
				return { ok: true, text: undefined };
			case 'not-regular':
				return {
					ok: false,
					problem: `it is ${statSync(real).isDirectory() ? 'a folder' : 'a pipe or device'}, not a file`,
				};
			case 'too-large':
				return { ok: false, problem: 'it is larger than 1 MiB' };
			case 'outside':
			case 'unreadable':
				return { ok: false, problem: 'it may not be read by you' };
			default:
				return read.why satisfies never;
		}
	} catch (error) {
		if (error instanceof TypeError) return { ok: false, problem: 'it holds bytes that are not UTF-8 text' };
		if (systemErrorCode(error) !== 'ENOENT') return { ok: false, problem: problemOf(error, path) };
		const dead = deadLinkAt(path);
		return dead === undefined ? { ok: true, text: undefined } : { ok: false, problem: dead };
	}
}

/** The text of a file, undefined if there is none. Throws SettingsRefused for an unusable file. */
export function readIfThere(path: string): string | undefined {
	const read = readText(path);
	if (read.ok) return read.text;
	throw new SettingsRefused(`${path} was not changed: ${read.problem}. Correct that and run the command again.`);
}

/** Reads a settings file; a missing one is empty. Never throws. */
export function readSettingsFile(path: string): SettingsRead {
	const read = readText(path);
	return read.ok ? readSettings(read.text ?? '') : read;
}
