import { isAbsolute, resolve } from 'node:path';
import { isProfile } from '#hooks-bridge/hook/hook-run.ts';
import { printable } from '#lib/text/printable.ts';
import { closedCommand } from '../install/closed-command.ts';
import { closedEntries } from '../install/closed-entry.ts';
import { HOLD_MARGIN, registerEvents } from '../install/hook-entries.ts';
import { projectFiles } from '../install/plan-init.ts';
import type { Check, FindCommand, SetUp } from './check.ts';
import type { OurEntry } from './our-entries.ts';

const INIT = 'run `signalbox init`';

function checkSlow(entries: readonly OurEntry[], holdSeconds: number): Check[] {
	const name = 'hook and its timeout';
	const killed = entries.filter(({ timeout, believed }) => timeout !== undefined && timeout < (believed ?? 0));
	if (killed.length > 0) {
		const detail = `hook slower than its timeout on ${eventsOf(killed)}: the client kills it while it waits, and the call runs`;
		return [{ state: 'wrong', name, detail, fix: INIT }];
	}
	const needed = holdSeconds + HOLD_MARGIN;
	const short = entries.filter(
		({ event, timeout, profile }) =>
			registerEvents()[event]?.holds === true && profile !== 'supervisor' && timeout !== undefined && timeout < needed,
	);
	if (short.length === 0) return [];
	const detail = `${eventsOf(short)}: shorter than approvals.holdSeconds + ${HOLD_MARGIN} = ${needed} s, so a call waits for less than that`;
	return [{ state: 'warn', name, detail, fix: INIT }];
}

const eventsOf = (entries: readonly OurEntry[]) =>
	printable([...new Set(entries.map(({ event }) => event))].join(', '), 200);

function checkClosed({ home, project }: SetUp, entries: readonly OurEntry[], holdSeconds: number): Check[] {
	const name = 'fail-closed entry';
	const closed = entries.filter(({ profile }) => profile === 'closed');
	const isWanted = Object.keys(closedEntries(home, projectFiles(project).config, holdSeconds)).length > 0;
	if (closed.length === 0) {
		if (!isWanted || entries.length === 0) return [];
		const detail = 'commands are excluded, but none stands here: a command runs when the hook fails';
		return [{ state: 'wrong', name, detail, fix: INIT }];
	}
	const other = closed.filter(({ command, believed = 0 }) => command !== closedCommand(believed));
	if (other.length > 0) {
		const detail = `the one in ${other.map(({ path }) => path).join(', ')} is not what this version writes: it may take silence for a pass`;
		return [{ state: 'wrong', name, detail, fix: INIT }];
	}
	const open = closed.filter(({ onFailure }) => onFailure !== 'block');
	if (open.length === 0) return [{ state: 'ok', name, detail: 'blocks also when the hook fails (onFailure)' }];
	const detail = `onFailure is missing in ${open.map(({ path }) => path).join(', ')}: the call runs when the hook crashes or times out`;
	return [{ state: 'wrong', name, detail, fix: INIT }];
}

function checkReviewer({ project, env }: SetUp, entries: readonly OurEntry[], find: FindCommand): Check[] {
	if (!entries.some(({ profile }) => profile === 'supervisor')) return [];
	const name = 'reviewer';
	const command = env.CCC_CLAUDE || 'claude';
	const found = find(command.includes('/') && !isAbsolute(command) ? resolve(project, command) : command);
	if (found !== undefined) return [{ state: 'ok', name, detail: found }];
	const detail = `supervisor entries stand here, but ${printable(command, 200)} is not found: every review fails and denies`;
	const fix = 'put claude on PATH or name it in CCC_CLAUDE; `signalbox supervisor off` ends reviews';
	return [{ state: 'wrong', name, detail, fix }];
}

function checkProfiles(entries: readonly OurEntry[]): Check[] {
	const odd = entries.filter(({ profile }) => !isProfile(profile));
	if (odd.length === 0) return [];
	const names = printable([...new Set(odd.map(({ profile }) => profile))].join(', '), 100);
	const detail = `${names} on ${eventsOf(odd)} is no profile: it counts as closed and denies what nobody can judge`;
	return [{ state: 'wrong', name: 'profile of a hook', detail, fix: INIT }];
}

/** Whether each entry of ours gets to say what it is there for. */
export function checkEntries(
	setUp: SetUp,
	entries: readonly OurEntry[],
	holdSeconds: number,
	find: FindCommand,
): Check[] {
	return [
		...checkProfiles(entries),
		...checkSlow(entries, holdSeconds),
		...checkClosed(setUp, entries, holdSeconds),
		...checkReviewer(setUp, entries, find),
	];
}
