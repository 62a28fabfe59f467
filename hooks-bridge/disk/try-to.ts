/** What `work` gives; undefined where it throws, such as for a file that is gone or may not be read. */
export function tryTo<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}
