import type { Ports } from '#hooks-bridge/ports/ports.ts';

/** The person's `config.json`, parsed; empty if it is missing or not JSON, which hooks report when they read their settings. */
export function readConfig(ports: Pick<Ports, 'readHomeFile'>): unknown {
	const file = ports.readHomeFile('config.json');
	if (!file.ok) return {};
	try {
		return JSON.parse(file.text.replace(/^\ufeff/, ''));
	} catch {
		return {};
	}
}
