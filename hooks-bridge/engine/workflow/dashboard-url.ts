import { isJson } from '#lib/json/json.ts';
import { LAST_URL, SERVER_PROGRAM, serverUrl } from '../../disk/server-url.ts';
import type { Ports } from '../ports.ts';

/** Where the pages of this home are: of the server that runs, else of the one that a hook starts; null where neither is. */
export function dashboardUrl({ readHomeFile }: Ports): string | null {
	const holder = readHomeFile('server.lock.json');
	const running = holder.ok ? serverUrl(urlIn(holder.text)) : null;
	if (running !== null || !readHomeFile(SERVER_PROGRAM).ok) return running;
	const last = readHomeFile(LAST_URL);
	return last.ok ? serverUrl(last.text) : null;
}

function urlIn(json: string): unknown {
	try {
		const holder: unknown = JSON.parse(json);
		return isJson(holder) ? holder.url : null;
	} catch {
		return null;
	}
}
