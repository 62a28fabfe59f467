import type { Ports } from '#hooks-bridge/ports/ports.ts';

/** The person's `config.json`, parsed; empty where it is missing or no JSON, which is named where hooks read their settings. */
export function readConfig(ports: Pick<Ports, 'readHomeFile'>): unknown {
	const file = ports.readHomeFile('config.json');
	if (!file.ok) return {};
	try {
		return JSON.parse(file.text.replace(/^\ufeff/, ''));
	} catch {
		return {};
	}
}
