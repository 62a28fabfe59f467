import type { HubSession } from '../../timeline/store/hub-store.ts';
import type { HubParts } from './hub-parts.ts';

/**
 * The sessions of one edge of which something was acknowledged lately. Events are committed without waiting for the disk, so
 * that a crash of Postgres may take back the last that an edge was told (HUB 2): it sends it again once it knows.
 */
export function createAcknowledged(open: HubParts['open']) {
	const ids = new Set<string>();

	return {
		add: (id: string) => void ids.add(id),
		/** Those since the last look that stand further back than `offsetOf` says. Rejects where the database cannot be asked. */
		async lost(edge: number, offsetOf: (id: string) => number): Promise<HubSession[]> {
			// Noted before the question: what is committed meanwhile is no loss, and is looked for at the next look.
			const before = [...ids].map((id) => ({ id, offset: offsetOf(id) }));
			ids.clear();
			try {
				const stored = await Promise.all(before.map(({ id }) => open({ edge, sessionId: id })));
				return stored.filter(({ offset }, at) => offset < (before[at]?.offset ?? 0));
			} catch (error) {
				for (const { id } of before) ids.add(id);
				throw error;
			}
		},
	};
}
