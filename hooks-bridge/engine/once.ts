/** What `fetch` gives, fetched when it is first asked for. */
export function once<T>(fetch: () => T): () => T {
	let found: { value: T } | undefined;
	return () => {
		found ??= { value: fetch() };
		return found.value;
	};
}
