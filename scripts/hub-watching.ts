import { RECENT_MINUTES } from '#server/hub/metrics/hub-meters.ts';
import { type Alarm, HUB_METRICS, type HubMetricName } from '#server/hub/metrics/hub-metrics.ts';

interface Metric {
	kind: 'gauge' | 'counter' | 'histogram';
	help: string;
	label?: string;
	alarm?: Alarm;
}

const METRICS = Object.entries(HUB_METRICS) as [HubMetricName, Metric][];
const LATELY = `[${RECENT_MINUTES}m]`;

/** What Prometheus asks to know what an alarm looks at, over all replicas. */
function judgedExpression(name: HubMetricName, { kind, label }: Metric, { label: value, below }: Alarm): string {
	const of = value === undefined ? '' : `{${label}="${value}"}`;
	if (kind === 'counter') return `sum(increase(${name}${of}${LATELY}))`;
	if (kind === 'histogram') return `histogram_quantile(0.99, sum by (le) (rate(${name}_bucket${LATELY})))`;
	return `${below === undefined ? 'max' : 'min'}(${name}${of})`;
}

/** The alarms of `/health?deep` as rules of Prometheus. */
export function renderAlertRules(): string {
	const rules = METRICS.flatMap(([name, metric]) => {
		const { alarm } = metric;
		if (!alarm) return [];
		const bound = alarm.below === undefined ? `> ${alarm.above}` : `< ${alarm.below}`;
		return [
			`      - alert: ${pascal(name)}`,
			`        expr: ${JSON.stringify(`${judgedExpression(name, metric, alarm)} ${bound}`)}`,
			'        for: 1m',
			'        annotations:',
			`          summary: ${JSON.stringify(alarm.says)}`,
			`          description: ${JSON.stringify(alarm.do)}`,
		];
	});
	return [
		'# Made from the table of metrics (server/hub/metrics/hub-metrics.ts): change it there.',
		'groups:',
		'  - name: signalbox-hub',
		'    rules:',
		'      - alert: SignalboxHubDown',
		'        expr: "up{job=\\"signalbox-hub\\"} == 0"',
		'        for: 1m',
		'        annotations:',
		'          summary: "A replica of the hub does not answer"',
		'          description: "Its machines go on with another replica. Look into its log, and start it again."',
		...rules,
		'',
	].join('\n');
}

/** A dashboard of Grafana with a panel a metric. */
export function renderDashboard(): string {
	const datasource = { type: 'prometheus', uid: `\${datasource}` };
	const panels = METRICS.map(([name, metric], at) => ({
		id: at + 1,
		type: 'timeseries',
		title: metric.help,
		description: metric.alarm ? `${metric.alarm.says}: ${metric.alarm.do}` : '',
		gridPos: { x: (at % 3) * 8, y: Math.floor(at / 3) * 8, w: 8, h: 8 },
		datasource,
		targets: [{ refId: 'A', datasource, ...shown(name, metric) }],
		fieldConfig: { defaults: { unit: unitOf(name), custom: thresholdStyle, thresholds: thresholds(metric.alarm) } },
	}));
	const variable = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' };
	const dashboard = {
		uid: 'signalbox-hub',
		title: 'Signalbox hub',
		schemaVersion: 39,
		time: { from: 'now-6h', to: 'now' },
		refresh: '30s',
		templating: { list: [variable] },
		panels,
	};
	return `${JSON.stringify(dashboard, null, '\t')}\n`;
}

const thresholdStyle = { thresholdsStyle: { mode: 'line' } };

function shown(name: HubMetricName, { kind, label }: Metric) {
	if (kind === 'histogram') {
		return {
			expr: `histogram_quantile(0.99, sum by (le, instance) (rate(${name}_bucket${LATELY})))`,
			legendFormat: 'p99 {{instance}}',
		};
	}
	const legendFormat = label === undefined ? '{{instance}}' : `{{${label}}} {{instance}}`;
	return { expr: kind === 'counter' ? `rate(${name}${LATELY})` : name, legendFormat };
}

const unitOf = (name: string): string =>
	name.endsWith('_bytes') ? 'bytes' : name.endsWith('_seconds') ? 's' : 'short';

function thresholds(alarm: Alarm | undefined) {
	const good = { color: 'green', value: null };
	if (!alarm) return { mode: 'absolute', steps: [good] };
	if (alarm.below === undefined) return { mode: 'absolute', steps: [good, { color: 'red', value: alarm.above }] };
	return {
		mode: 'absolute',
		steps: [
			{ color: 'red', value: null },
			{ color: 'green', value: alarm.below },
		],
	};
}

const pascal = (name: string): string =>
	name
		.split('_')
		.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
		.join('');
