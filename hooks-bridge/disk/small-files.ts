import { lstatSync, type Stats } from 'node:fs';
import type { FileRead } from '../ports/ports.ts';
import { readBounded } from './bounded-read.ts';

const MAX_FILES = 200;
const MAX_CHARS = 64 * 1024;

/** Settings and plans are asked for at every call and change seldom: what is unchanged by its stat is not read again. */
export class SmallFiles {
	readonly #known = new Map<string, { mark: string; read: FileRead }>();

	/** As `readBounded`. */
	read(path: string, root: string): FileRead {
		const stat = statOf(path);
		if (stat === null) return { ok: false, why: 'absent' };
		if (!stat?.isFile()) return readBounded(path, root);
		const mark = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
		const key = `${root}\0${path}`;
		const known = this.#known.get(key);
		if (known?.mark === mark) return known.read;
		const read = readBounded(path, root);
		if (this.#known.size >= MAX_FILES) this.#known.clear();
		// A file of this very moment may change again within one tick of its clock.
		const settled = Date.now() - stat.ctimeMs > 1000;
		if (settled && read.ok && read.text.length <= MAX_CHARS) this.#known.set(key, { mark, read });
		return read;
	}
}

/** Null when there is nothing at the path; undefined where it cannot be told. */
function statOf(path: string): Stats | null | undefined {
	try {
		return lstatSync(path, { throwIfNoEntry: false }) ?? null;
	} catch {
		return undefined;
	}
}
