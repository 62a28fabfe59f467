interface Kept {
	id: string;
	/** The run and the call that it was opened for: a second run of either finds it by these. */
	keys: readonly string[];
}

/** Tickets by their ids and by the keys of the runs that may share them; of two with one key the later counts. */
export interface TicketIndex<T extends Kept> {
	/** Oldest first. */
	all(): T[];
	get(id: string): T | undefined;
	/** The ticket of the first key that has one. */
	find(keys: readonly string[]): T | undefined;
	add(ticket: T): void;
	forget(ticket: T): void;
}

export function createTicketIndex<T extends Kept>(): TicketIndex<T> {
	const byId = new Map<string, T>();
	const byKey = new Map<string, T>();
	return {
		all: () => [...byId.values()],
		get: (id) => byId.get(id),
		find(keys) {
			const key = keys.find((candidate) => byKey.has(candidate));
			return key === undefined ? undefined : byKey.get(key);
		},
		add(ticket) {
			byId.set(ticket.id, ticket);
			for (const key of ticket.keys) byKey.set(key, ticket);
		},
		forget(ticket) {
			byId.delete(ticket.id);
			for (const key of ticket.keys) if (byKey.get(key) === ticket) byKey.delete(key);
		},
	};
}
