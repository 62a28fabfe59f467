import { type HubSession, type HubStore, NoRoom } from '../../timeline/store/hub-store.ts';

/** Where these sessions of an edge stand; its connection remembers each that it has told of, in `known`. */
export async function openAll(
	store: Pick<HubStore, 'open' | 'mostSessions'>,
	edge: number,
	told: readonly { id: string }[],
	known: ReadonlyMap<string, unknown>,
): Promise<HubSession[] | 'no room'> {
	const more = told.filter(({ id }) => !known.has(id)).length;
	if (known.size + more > store.mostSessions) return 'no room';
	try {
		return await store.open(told.map(({ id }) => ({ edge, sessionId: id })));
	} catch (error) {
		if (error instanceof NoRoom) return 'no room';
		throw error;
	}
}
