import { expect, test } from 'vitest';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { createCounter, createHistogram, createHubMeters, gaugeOf, meterReads } from './hub-meters.ts';
import { HUB_METRICS, type HubMetricName, raisedAlarms, renderHubMetrics } from './hub-metrics.ts';

test('a counter only rises, and is judged by its last five minutes', () => {
	let at = 0;
	const counter = createCounter(() => at, ['bad', 'later']);
	counter.add(20, 'bad');
	const ended = () => raisedAlarms({ signalbox_hub_connections_ended_total: counter });
	expect(ended()).toMatchObject([{ metric: 'signalbox_hub_connections_ended_total', value: 20 }]);
	at = 5 * 60_000;
	expect(ended()).toEqual([]);
	expect(renderHubMetrics({ signalbox_hub_connections_ended_total: counter }).split('\n').slice(2)).toEqual([
		'signalbox_hub_connections_ended_total{why="bad"} 20',
		'signalbox_hub_connections_ended_total{why="later"} 0',
		'',
	]);
});

test('of what took how long, buckets add up, and the slowest hundredth is judged', () => {
	const histogram = createHistogram(() => 0, [0.1, 1, 5]);
	expect(raisedAlarms({ signalbox_hub_commit_seconds: histogram })).toEqual([]);
	for (let n = 0; n < 98; n += 1) histogram.add(0.0625);
	histogram.add(3);
	expect(histogram.judged()).toBe(5);
	histogram.add(60);
	expect(renderHubMetrics({ signalbox_hub_commit_seconds: histogram })).toContain(
		[
			'signalbox_hub_commit_seconds_bucket{le="0.1"} 98',
			'signalbox_hub_commit_seconds_bucket{le="1"} 98',
			'signalbox_hub_commit_seconds_bucket{le="5"} 99',
			'signalbox_hub_commit_seconds_bucket{le="+Inf"} 100',
			'signalbox_hub_commit_seconds_sum 69.125',
			'signalbox_hub_commit_seconds_count 100',
		].join('\n'),
	);
});

test('each alarm rings beyond its bound, not at it, and says what to do', () => {
	for (const [name, metric] of Object.entries(HUB_METRICS)) {
		if (!('alarm' in metric)) continue;
		const { alarm } = metric;
		const label = 'label' in alarm ? alarm.label : '';
		const bound = 'above' in alarm ? alarm.above : alarm.below;
		const beyond = 'above' in alarm ? bound + 1 : bound - 1;
		const of = (value: number) =>
			raisedAlarms({ [name as HubMetricName]: gaugeOf(label === '' ? value : { [label]: value }) });
		expect(of(bound), name).toEqual([]);
		expect(of(beyond), name).toEqual([{ metric: name, value: beyond, says: alarm.says, do: alarm.do }]);
	}
	expect(raisedAlarms({ signalbox_hub_edges: gaugeOf(undefined) })).toEqual([]);
});

test('what is read for who watches live is counted, and read as before', async () => {
	const meters = createHubMeters(Date.now);
	const calls: unknown[] = [];
	const eventsSince: SessionReads['eventsSince'] = async (...what) => {
		calls.push(what);
		return null;
	};
	const reads = meterReads({ eventsSince }, meters);
	expect(await reads.eventsSince('1/s1', { epoch: 'e', after: 3, limit: 50 })).toBeNull();
	expect(calls).toEqual([['1/s1', { epoch: 'e', after: 3, limit: 50 }]]);
	expect(meters.signalbox_hub_catch_ups_total.judged()).toBe(1);
});

test('a roster without room for somebody rings', () => {
	const rings = (leftOut: number) => raisedAlarms({ signalbox_hub_roster_left_out: gaugeOf(leftOut) });
	expect(rings(0)).toEqual([]);
	expect(rings(1)).toMatchObject([{ metric: 'signalbox_hub_roster_left_out', value: 1 }]);
});
