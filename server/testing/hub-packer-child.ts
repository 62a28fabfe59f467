import { openHubDatabase } from '../hub/database/database.ts';
import { packColdSessions } from '../hub/jobs/retire-sessions.ts';
import { createArchives } from '../hub/timelines/archives.ts';
import { openObjectStore } from '../hub/timelines/object-store.ts';
import { readObjectsUrl } from '../process/objects-url.ts';

/* Packs what is cold at a time (ms), and is killed when it comes to a step: `DATABASE_URL OBJECTS_URL NOW STEP`. */
const [databaseUrl = '', objectsUrl = '', now = '0', last = ''] = process.argv.slice(2);
const objectStore = readObjectsUrl(objectsUrl);
if (!objectStore) throw new Error('no object store');
const store = openObjectStore(objectStore);
const database = openHubDatabase(databaseUrl, () => undefined);
const parts = { database, store, archives: createArchives(store), now: () => Number(now) };
const reached = (step: string) => {
	if (step === last) process.kill(process.pid, 'SIGKILL');
};
await packColdSessions({ ...parts, reached }, new AbortController().signal);
await database.close();
