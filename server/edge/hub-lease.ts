/** For how long somebody who may decide watches at the hub, as it said last. */
export interface HubLease {
	/** `ms` from now on. */
	renew(ms: number): void;
	stands(): boolean;
}

/** Without a word of the hub it runs out: hub gone is nobody there. `steady` is a clock in ms that nobody sets. */
export function createHubLease(steady: () => number = () => performance.now()): HubLease {
	let until = Number.NEGATIVE_INFINITY;
	return {
		renew(ms) {
			until = steady() + ms;
		},
		stands: () => steady() < until,
	};
}
