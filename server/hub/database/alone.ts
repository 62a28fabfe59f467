/** Does a thing once at a time for each key: whoever comes while it is done waits for the same. */
export function createAlone<Key>() {
	const running = new Map<Key, Promise<void>>();
	return (key: Key, work: () => Promise<void>): Promise<void> => {
		const known = running.get(key);
		if (known !== undefined) return known;
		const begun = work().finally(() => running.delete(key));
		running.set(key, begun);
		return begun;
	};
}
