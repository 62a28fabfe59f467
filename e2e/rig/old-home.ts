import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openDatabase } from '#server/timeline/store/open-database.ts';

const KEPT = join(import.meta.dirname, '../fixtures/home-of-before');

/** The archive of that home, by the place of its project of then, which is not there any more. */
export const OLD_ARCHIVE = { id: 'ee11921329b0-2026-11-23_cart', folder: '2026-11-23_cart' };

/** A text of what the older program left. */
export function readKept(name: string): string {
	return readFileSync(join(KEPT, name), 'utf8');
}

/** Makes `home`, whose server is stopped, the home of the older program. */
export function putOldHome(home: string): void {
	const writeText = (path: string, content: string | Buffer) => {
		mkdirSync(dirname(join(home, path)), { recursive: true });
		writeFileSync(join(home, path), content);
	};
	for (const name of ['journal', 'index']) {
		for (const end of ['', '-wal', '-shm']) rmSync(join(home, `${name}.db${end}`), { force: true });
		const database = openDatabase(join(home, `${name}.db`));
		database.exec(readKept(`${name}.sql`));
		database.close();
	}
	rmSync(join(home, 'journal.key'), { force: true });
	for (const sessionId of ['before', 'cart-session']) {
		writeText(`sessions/${sessionId}/timeline.jsonl`, readKept(`${sessionId}.jsonl`));
	}
	const archive = `archive/${OLD_ARCHIVE.id}`;
	for (const name of ['manifest.json', 'origin.json', 'outcome.json']) writeText(`${archive}/${name}`, readKept(name));
	writeText(`${archive}/cart-session.jsonl.gz`, gzipSync(readKept('cart-session.jsonl')));
}
