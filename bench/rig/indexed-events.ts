import { join } from 'node:path';
import { openDatabase } from '#server/timeline/store/open-database.ts';

/** How many events the index of a home holds. */
export function indexedEvents(home: string): number {
	const sqlite = openDatabase(join(home, 'index.db'), { readonly: true });
	try {
		return sqlite.prepare<[], { n: number }>('SELECT count(*) AS n FROM events').get()?.n ?? 0;
	} finally {
		sqlite.close();
	}
}

/** Resolves with the number of indexed events once it is `wanted`, or no longer grows. */
export async function settledEvents(home: string, wanted: number): Promise<number> {
	for (let before = -1; ; ) {
		const now = indexedEvents(home);
		if (now >= wanted || now === before) return now;
		before = now;
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}
