/** Files of a home other than its databases, as listed in docs/guide/files.md. */
const NAMES = new Set([
	...['sessions', 'archive', 'reels', 'hub-reels', 'pruned', 'denied', 'locks', 'sandbox', 'plugin', 'bin'],
	...['journal.seen', 'journal.key', 'anchors.jsonl', 'stamps.jsonl', 'host-label', 'door.key', 'mcp-token'],
	...['telemetry-token', 'push.json', 'bridge.sock', 'server.lock', 'server.lock-journal', 'server.lock.json'],
	...[
		'server.url',
		'service.log',
		'unwritten',
		'projects.json',
		'config.json',
		'llm.key',
		'hub.key',
		'edge.key',
		'edge.counter',
	],
]);

/** Databases with their logs, former ones, a hub's own files, and drafts that a crash left. */
const FORMS =
	/^((journal|index)(-[^/]+)?\.db(-wal|-shm|-journal)?|hub(-policy|-state|-roster|-root)?\.json|hub-\d+\.pid|server\.(lock\.json|url)\.\d+|.*\.moved-\d+)$/;

/** Whether an entry of a home, by its name, is Signalbox's own. */
export function isHomeFile(name: string): boolean {
	return NAMES.has(name) || FORMS.test(name);
}
