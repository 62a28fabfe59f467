/** Lets so many pieces of work go on at once; the others wait, the first to come first. */
export function createSlots(count: number) {
	let free = count;
	const waiting: (() => void)[] = [];
	return {
		async use<T>(work: () => Promise<T>): Promise<T> {
			if (free > 0) free -= 1;
			else await new Promise<void>((go) => waiting.push(go));
			try {
				return await work();
			} finally {
				const next = waiting.shift();
				if (next) next();
				else free += 1;
			}
		},
	};
}

export type Slots = ReturnType<typeof createSlots>;
