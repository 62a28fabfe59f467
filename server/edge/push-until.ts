import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../process/log.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import type { Membership } from './membership.ts';
import { openPolicies } from './policy-cache.ts';
import { type PushState, startPusher } from './pusher.ts';
import { type EdgeState, STATE_FILE } from './start-edge.ts';

const LOOK_MS = 200;

export interface PushEnd {
	isDone: boolean;
	state: PushState | undefined;
}

const hasAll = (state: PushState | undefined): boolean => state?.state === 'connected' && state.behind === 0;

export async function pushUntil(home: string, membership: Membership, seconds: number): Promise<PushEnd> {
	const log = createLog(() => undefined);
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const policies = openPolicies(home, { journal, incidents: { raise: () => undefined } }, log);
	const ended = new Promise<PushEnd>((resolve) => {
		const end = () => {
			clearTimeout(timer);
			const state = pusher.state();
			pusher.stop();
			resolve({ isDone: hasAll(state), state });
		};
		let isRequested = false;
		const changed = () => {
			const state = pusher.state();
			if (state.state === 'refused') return void setImmediate(end);
			if (state.state !== 'connected') isRequested = false;
			if (!hasAll(state)) return;
			const isAnswered = isRequested || !pusher.confirm();
			isRequested = true;
			if (isAnswered) setImmediate(end);
		};
		const pusher = startPusher({ home, membership, log, changed, ...policies?.forPusher });
		const timer = setTimeout(end, seconds * 1000);
	});
	return ended.finally(() => {
		policies?.stop();
		return journal.close();
	});
}

export async function watchUntil(home: string, seconds: number): Promise<PushEnd> {
	const since = Date.now();
	const until = since + seconds * 1000;
	let state: EdgeState | undefined;
	while (Date.now() < until) {
		state = readState(join(home, STATE_FILE));
		if (state && state.at > since && hasAll(state)) return { isDone: true, state };
		await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
	}
	return { isDone: false, state };
}

function readState(path: string): EdgeState | undefined {
	try {
		return JSON.parse(readFileSync(path, 'utf8')) as EdgeState;
	} catch {
		return undefined;
	}
}
