import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { verifyExport } from './verify-export.ts';

const MiB = 1024 * 1024;
const zeros = gzipSync(Buffer.alloc(200 * MiB));
const many = (part: Buffer, count: number) => Buffer.concat(Array.from({ length: count }, () => part));

/** Files that somebody may have been sent; each would be large or endless if it were believed. */
const bombs: [string, () => Buffer][] = [
	['nothing', () => Buffer.alloc(0)],
	['no gzip', () => Buffer.from('PK\u0003\u0004')],
	['a cut gzip', () => zeros.subarray(0, 1000)],
	['200 MiB in one line', () => zeros],
	['2 GiB in members', () => many(zeros, 10)],
	['200 MiB of empty lines', () => gzipSync(Buffer.alloc(200 * MiB, '\n'))],
	['a gzip in a gzip', () => gzipSync(zeros)],
	['deep JSON', () => gzipSync('['.repeat(5 * MiB))],
	['a deep object', () => gzipSync('{"a":'.repeat(2 * MiB))],
	['a long number', () => gzipSync('9'.repeat(10 * MiB))],
	['a long text', () => gzipSync(`"${'a'.repeat(60 * MiB)}"\n`)],
	['a prototype', () => gzipSync('{"__proto__":{"head":1},"constructor":{}}\n')],
	['many keys', () => gzipSync(`{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":0`).join()}}\n`)],
	['bad UTF-8', () => gzipSync(Buffer.alloc(MiB, 0xff))],
	['NULs and newlines', () => gzipSync(Buffer.from('\0\n'.repeat(MiB)))],
];

test.each(bombs)('B5: %s is refused as an archive, within 256 MiB', async (_what, build) => {
	const path = join(mkdtempSync(join(tmpdir(), 'sbx-bomb-')), 'x.signalbox.gz');
	writeFileSync(path, build());
	const before = process.memoryUsage.rss();
	let most = 0;
	const watch = setInterval(() => {
		most = Math.max(most, process.memoryUsage.rss() - before);
	}, 5);
	const found = await verifyExport(path);
	clearInterval(watch);
	expect(found.ok).toBe(false);
	expect(most).toBeLessThan(256 * MiB);
});
