import type { Readable } from 'node:stream';
import { BoundedOutput } from './bounded-output.ts';

/** Reads one command's output from a stream that many commands share: everything up to a mark. */
export class MarkedOutput {
	/** Settled when the mark has come. */
	readonly marked: Promise<void>;
	readonly #stream: Readable;
	readonly #mark: Buffer;
	readonly #sink: ((chunk: Buffer) => Promise<void> | void) | undefined;
	readonly #output = new BoundedOutput();
	readonly #listen = (chunk: Buffer): void => this.#take(chunk);
	#pending: Buffer = Buffer.alloc(0);
	#resolve: () => void = () => {};

	constructor(stream: Readable, mark: string, sink: ((chunk: Buffer) => Promise<void> | void) | undefined) {
		this.#stream = stream;
		this.#mark = Buffer.from(mark);
		this.#sink = sink;
		this.marked = new Promise((resolve) => {
			this.#resolve = resolve;
		});
		stream.on('data', this.#listen);
		// The command before may have left it paused.
		stream.resume();
	}

	/** Reads no further and gives what came. */
	stop(): string {
		this.#stream.off('data', this.#listen);
		this.#emit(this.#pending);
		this.#pending = Buffer.alloc(0);
		return this.#output.text();
	}

	#take(chunk: Buffer): void {
		const whole = Buffer.concat([this.#pending, chunk]);
		const at = whole.indexOf(this.#mark);
		if (at !== -1) {
			this.#stream.off('data', this.#listen);
			this.#stream.pause();
			this.#pending = Buffer.alloc(0);
			this.#emit(whole.subarray(0, at));
			this.#resolve();
			return;
		}
		// The last bytes may be the beginning of the mark.
		const sure = Math.max(0, whole.length - this.#mark.length + 1);
		this.#pending = Buffer.from(whole.subarray(sure));
		this.#emit(whole.subarray(0, sure));
	}

	#emit(bytes: Buffer): void {
		if (bytes.length === 0) return;
		this.#output.add(bytes);
		const taken = this.#sink?.(bytes);
		if (!(taken instanceof Promise)) return;
		this.#stream.pause();
		const go = (): unknown => this.#stream.listenerCount('data') > 0 && this.#stream.resume();
		void taken.then(go, go);
	}
}
