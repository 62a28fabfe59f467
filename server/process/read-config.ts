import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { parsedJson } from '#lib/json/json.ts';

/** The person's `config.json`, parsed; empty if it is missing or not JSON, which hooks report when they read their settings. */
export function readConfig(ports: Pick<Ports, 'readHomeFile'>): unknown {
	const file = ports.readHomeFile('config.json');
	return file.ok ? (parsedJson(file.text.replace(/^\ufeff/, '')) ?? {}) : {};
}
