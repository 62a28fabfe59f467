/** What `GET /metrics` counts. */
export interface Counts {
	events: number;
	sessions: number;
	sockets: number;
	tickets: number;
}

const METRICS = {
	events: ['counter', 'Events in the index'],
	sessions: ['gauge', 'Sessions in the index'],
	sockets: ['gauge', 'Open websockets'],
	tickets: ['gauge', 'Hooks that wait for a person'],
} as const satisfies Record<keyof Counts, readonly [kind: string, help: string]>;

/** The counts in the text format that Prometheus reads. */
export function renderMetrics(counts: Counts): string {
	return Object.entries(METRICS)
		.map(([name, [kind, help]]) => {
			const metric = `signalbox_${name}${kind === 'counter' ? '_total' : ''}`;
			return `# HELP ${metric} ${help}\n# TYPE ${metric} ${kind}\n${metric} ${counts[name as keyof Counts]}\n`;
		})
		.join('');
}
