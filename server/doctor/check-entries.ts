import { isAbsolute, resolve } from 'node:path';
import { isProfile } from '#hooks-bridge/door/hook-run.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { printable } from '#lib/text/printable.ts';
import { closedCommand } from '../setup/closed-command.ts';
import { closedEntries } from '../setup/closed-entry.ts';
import { HOLD_MARGIN, registerEvents } from '../setup/hook-entries.ts';
import type { Check, FindCommand, SetUp } from './check.ts';
import type { OurEntry } from './our-entries.ts';

const INIT = sentence('run {command}', { command: '`signalbox init`' });

function checkSlow(entries: readonly OurEntry[], holdSeconds: number): Check[] {
	const name = sentence('hook and its timeout');
	const killed = entries.filter(
		({ timeout, assumedTimeout }) => timeout !== undefined && timeout < (assumedTimeout ?? 0),
	);
	if (killed.length > 0) {
		const events = eventsOf(killed);
		const detail = sentence(
			'timeout too short on {events}: the client kills the hook while it waits, and the call runs',
			{ events },
		);
		return [{ state: 'wrong', name, detail, fix: INIT }];
	}
	const needed = holdSeconds + HOLD_MARGIN;
	const short = entries.filter(
		({ event, timeout, profile }) =>
			registerEvents()[event]?.holds === true && profile !== 'supervisor' && timeout !== undefined && timeout < needed,
	);
	if (short.length === 0) return [];
	const detail = sentence(
		'{events}: shorter than approvals.holdSeconds + {max} = {total} s, so a call waits for less than that',
		{ events: eventsOf(short), max: HOLD_MARGIN, total: needed },
	);
	return [{ state: 'warn', name, detail, fix: INIT }];
}

const eventsOf = (entries: readonly OurEntry[]) =>
	printable([...new Set(entries.map(({ event }) => event))].join(', '), 200);

function checkClosed({ home, project }: SetUp, entries: readonly OurEntry[], holdSeconds: number): Check[] {
	const name = sentence('fail-closed entry');
	const closed = entries.filter(({ profile }) => profile === 'closed');
	const isWanted = Object.keys(closedEntries(home, project, holdSeconds)).length > 0;
	if (closed.length === 0) {
		if (!isWanted || entries.length === 0) return [];
		const detail = sentence('commands are excluded, but the entry is missing: a command runs when the hook fails');
		return [{ state: 'wrong', name, detail, fix: INIT }];
	}
	const other = closed.filter(({ command, assumedTimeout = 0 }) => command !== closedCommand(assumedTimeout));
	if (other.length > 0) {
		const path = other.map((one) => one.path).join(', ');
		const detail = sentence('the entry in {path} is not as this version writes it: calls may run unjudged', { path });
		return [{ state: 'wrong', name, detail, fix: INIT }];
	}
	const open = closed.filter(({ onFailure }) => onFailure !== 'block');
	if (open.length === 0) return [{ state: 'ok', name, detail: 'blocks also when the hook fails (onFailure)' }];
	const path = open.map((one) => one.path).join(', ');
	const detail = sentence('onFailure is missing in {path}: the call runs when the hook crashes or times out', { path });
	return [{ state: 'wrong', name, detail, fix: INIT }];
}

function checkReviewer({ project, env }: SetUp, entries: readonly OurEntry[], find: FindCommand): Check[] {
	if (!entries.some(({ profile }) => profile === 'supervisor')) return [];
	const name = sentence('reviewer');
	const command = env.CCC_CLAUDE || 'claude';
	const found = find(command.includes('/') && !isAbsolute(command) ? resolve(project, command) : command);
	if (found !== undefined) return [{ state: 'ok', name, detail: found }];
	const detail = sentence('supervisor hooks are set up, but {program} is not found: every review fails and denies', {
		program: printable(command, 200),
	});
	const fix = sentence('add claude to PATH or set CCC_CLAUDE; {command} ends reviews', {
		command: '`signalbox supervisor off`',
	});
	return [{ state: 'wrong', name, detail, fix }];
}

function checkProfiles(entries: readonly OurEntry[]): Check[] {
	const odd = entries.filter(({ profile }) => !isProfile(profile));
	if (odd.length === 0) return [];
	const names = printable([...new Set(odd.map(({ profile }) => profile))].join(', '), 100);
	const detail = sentence('{names} on {events} is not a profile: it counts as closed, which denies unjudged calls', {
		names,
		events: eventsOf(odd),
	});
	return [{ state: 'wrong', name: sentence('profile of a hook'), detail, fix: INIT }];
}

function checkNarrowed(entries: readonly OurEntry[]): Check[] {
	const narrowed = entries.filter((entry) => entry.isNarrowed);
	if (narrowed.length === 0) return [];
	const detail = sentence('the client does not run the hook on {events} for every call, or does not wait for it', {
		events: eventsOf(narrowed),
	});
	return [{ state: 'wrong', name: sentence('reach of a hook'), detail, fix: INIT }];
}

/** Whether each entry of ours can give its answer to the client. */
export function checkEntries(
	setUp: SetUp,
	entries: readonly OurEntry[],
	holdSeconds: number,
	find: FindCommand,
): Check[] {
	return [
		...checkProfiles(entries),
		...checkNarrowed(entries),
		...checkSlow(entries, holdSeconds),
		...checkClosed(setUp, entries, holdSeconds),
		...checkReviewer(setUp, entries, find),
	];
}
