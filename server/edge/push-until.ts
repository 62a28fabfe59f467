import { join } from 'node:path';
import { readState } from '#hooks-bridge/disk/write-files.ts';
import { createLog } from '../process/log.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import type { Membership } from './membership.ts';
import { type PushState, startPusher } from './pusher.ts';
import { STATE_FILE, type StoredPushState } from './start-edge.ts';

const CHECK_MS = 200;

export interface PushEnd {
	isDone: boolean;
	state: PushState | undefined;
}

const hasAll = (push: PushState | undefined): boolean => push?.state === 'connected' && push.behind === 0;

export async function pushUntil(home: string, membership: Membership, seconds: number): Promise<PushEnd> {
	const log = createLog(() => undefined);
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const ended = new Promise<PushEnd>((resolve) => {
		const end = () => {
			clearTimeout(timer);
			const push = pusher.state();
			pusher.stop();
			resolve({ isDone: hasAll(push), state: push });
		};
		let isRequested = false;
		const changed = () => {
			const push = pusher.state();
			if (push.state === 'refused') return void setImmediate(end);
			if (push.state !== 'connected') isRequested = false;
			if (!hasAll(push)) return;
			const isAnswered = isRequested || !pusher.confirm();
			isRequested = true;
			if (isAnswered) setImmediate(end);
		};
		const policies = { journal, incidents: { raise: () => undefined } };
		const pusher = startPusher({ home, membership, log, changed, policies });
		const timer = setTimeout(end, seconds * 1000);
	});
	return ended.finally(() => journal.close());
}

export async function watchUntil(home: string, seconds: number): Promise<PushEnd> {
	const since = Date.now();
	const until = since + seconds * 1000;
	let state: StoredPushState | undefined;
	while (Date.now() < until) {
		state = (readState(join(home, STATE_FILE)) as StoredPushState | null) ?? undefined;
		if (state && state.at > since && hasAll(state)) return { isDone: true, state };
		await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
	}
	return { isDone: false, state };
}
