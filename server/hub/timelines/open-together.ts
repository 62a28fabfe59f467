import DataLoader from 'dataloader';
import { SESSIONS_A_FRAME } from '#lib/contract/hub/hub-wire.ts';
import type { HubSessionName } from '#lib/ids/session-name.ts';
import type { HubSession, HubStore } from '../../timeline/store/hub-store.ts';

/** As `store.open` of one; what many connections ask in one turn is one question. Nothing is remembered. */
export function openTogether(store: Pick<HubStore, 'open'>): (name: HubSessionName) => Promise<HubSession> {
	const loader = new DataLoader<HubSessionName, HubSession>((names) => store.open(names), {
		cache: false,
		maxBatchSize: SESSIONS_A_FRAME,
	});
	return (name) => loader.load(name);
}
