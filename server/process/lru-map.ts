/** A map of the `limit` most recently used entries; `evicted` receives each entry that is removed. */
export class LruMap<K, V> {
	readonly #entries = new Map<K, V>();
	readonly #limit: number;
	readonly #evicted: (value: V) => void;

	constructor(limit: number, evicted: (value: V) => void = () => {}) {
		this.#limit = limit;
		this.#evicted = evicted;
	}

	get(key: K): V | undefined {
		const value = this.#entries.get(key);
		if (value === undefined) return;
		this.#entries.delete(key);
		this.#entries.set(key, value);
		return value;
	}

	set(key: K, value: V): void {
		this.#entries.delete(key);
		this.#entries.set(key, value);
		if (this.#entries.size <= this.#limit) return;
		for (const oldest of this.#entries.keys()) {
			this.delete(oldest);
			return;
		}
	}

	delete(key: K): void {
		const value = this.#entries.get(key);
		if (value === undefined) return;
		this.#entries.delete(key);
		this.#evicted(value);
	}

	/** All values, least recently used first. */
	values(): IterableIterator<V> {
		return this.#entries.values();
	}

	clear(): void {
		for (const key of [...this.#entries.keys()]) this.delete(key);
	}
}
