import { readFileSync } from 'node:fs';

/** One change of the home, a sync, or a word of whoever drives it, as `write-log.c` noted it. */
export interface DiskRecord {
	kind: 'open' | 'write' | 'truncate' | 'sync' | 'rename' | 'link' | 'unlink' | 'mkdir' | 'unseen' | 'told';
	/** Where it stands in the log: what is before the start of a sync is on the disk after it. */
	offset: number;
	/** Milliseconds since the epoch. */
	ms: number;
	inode: number;
	/** Where a write begins, how long a file is after a truncation, whether an open empties it, or when a sync began. */
	at: number;
	path: string;
	/** The new name of a rename or link. */
	to: string;
	data: Buffer;
}

const HEAD_BYTES = 64;
const KINDS: Readonly<Record<string, DiskRecord['kind']>> = {
	o: 'open',
	w: 'write',
	t: 'truncate',
	s: 'sync',
	r: 'rename',
	l: 'link',
	u: 'unlink',
	m: 'mkdir',
	'?': 'unseen',
	a: 'told',
};

/** Everything that was noted, in its order. Throws where the log holds something else. */
export function readDiskLog(path: string): DiskRecord[] {
	const bytes = readFileSync(path);
	const records: DiskRecord[] = [];
	for (let offset = 0; offset + HEAD_BYTES <= bytes.length; ) {
		const number = (nth: number) => Number(bytes.readBigUInt64LE(offset + 8 * nth));
		const [path, to, data] = [number(5), number(6), number(7)];
		const from = offset + HEAD_BYTES;
		const text = (begin: number, length: number) => bytes.toString('utf8', begin, begin + length);
		const kind = KINDS[String.fromCharCode(number(0))];
		if (kind === undefined) throw new Error(`The log of the disk holds no record at ${offset}.`);
		records.push({
			kind,
			offset,
			ms: number(1),
			inode: number(2),
			at: number(3),
			path: text(from, path),
			to: text(from + path, to),
			data: bytes.subarray(from + path + to, from + path + to + data),
		});
		offset = from + path + to + data;
	}
	return records;
}

/** A word of the driver for the log: in one write it stands behind all that was done before it was said. */
export function toldRecord(word: string): Buffer {
	const path = Buffer.from(word);
	const head = Buffer.alloc(HEAD_BYTES);
	head.writeBigUInt64LE(BigInt('a'.charCodeAt(0)), 0);
	head.writeBigUInt64LE(BigInt(Date.now()), 8);
	head.writeBigUInt64LE(BigInt(path.length), 40);
	return Buffer.concat([head, path]);
}
