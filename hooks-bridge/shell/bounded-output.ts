/** How much of one stream is stored, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Stores the beginning and the end of a stream, so that no command can fill the memory. */
export class BoundedOutput {
	readonly #half: number;
	readonly #head: Buffer[] = [];
	#headBytes = 0;
	#tail: Buffer[] = [];
	#tailBytes = 0;
	#left = 0;

	constructor(max = MAX_BYTES) {
		this.#half = Math.max(1, Math.floor(max / 2));
	}

	add(chunk: Buffer): void {
		const room = this.#half - this.#headBytes;
		const first = chunk.subarray(0, room);
		if (first.length > 0) {
			this.#head.push(first);
			this.#headBytes += first.length;
		}
		const rest = chunk.subarray(first.length);
		if (rest.length === 0) return;
		this.#tail.push(rest);
		this.#tailBytes += rest.length;
		// Cut only now and then: joining at every chunk would cost more.
		if (this.#tailBytes > this.#half * 2) this.#cut();
	}

	text(): string {
		this.#cut();
		const left = this.#left > 0 ? `\n[... ${this.#left} bytes left out ...]\n` : '';
		if (left === '') return Buffer.concat([...this.#head, ...this.#tail]).toString('utf8');
		return Buffer.concat(this.#head).toString('utf8') + left + Buffer.concat(this.#tail).toString('utf8');
	}

	#cut(): void {
		if (this.#tailBytes <= this.#half) return;
		const whole = Buffer.concat(this.#tail);
		// Copied, so that the cut part can be freed.
		const kept = Buffer.from(whole.subarray(whole.length - this.#half));
		this.#left += whole.length - kept.length;
		this.#tail = [kept];
		this.#tailBytes = kept.length;
	}
}
