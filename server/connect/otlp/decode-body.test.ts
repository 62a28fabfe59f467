import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { MAX_RECORDS, SIGNALS, type Signal } from '#lib/otlp/otlp-record.ts';
import { emptyView } from '#lib/session/fold.ts';
import { listPrices } from '#lib/usage/prices.ts';
import { decodeBody, MAX_UNPACKED } from './decode-body.ts';
import { telemetryEvent } from './telemetry-service.ts';

const MUTATIONS = Number(process.env.MUTATIONS ?? 500);

const folder = join(import.meta.dirname, '../../../e2e/fixtures/otlp');
// An arbitrary holds names alone: a counterexample is to be read.
const bodies = new Map(
	['claude-code-logs.jsonl', 'codex-logs.jsonl', 'gemini-logs.jsonl', 'qwen-logs.jsonl', 'copilot-spans.jsonl']
		.concat(['copilot-error-spans.jsonl', 'claude-code-logs.pb'])
		.map((name) => [name, readFileSync(join(folder, name))] as const),
);

const formOf = (name: string): 'json' | 'protobuf' => (name.endsWith('.pb') ? 'protobuf' : 'json');
const signalOf = (name: string): Signal => (name.includes('spans') ? 'traces' : 'logs');
const decode = (signal: Signal, form: 'json' | 'protobuf', bytes: Uint8Array, isZipped = false) =>
	decodeBody({ signal, form, isZipped, bytes });
const json = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

const junk = fc.oneof(
	fc.jsonValue({ maxDepth: 3 }),
	fc.constantFrom(null, true, -1, 1e308, '9'.repeat(400), '', [], {}, 'x'.repeat(5000), '\u0000', '__proto__'),
);

/** Puts junk in the place of one of the values in a tree, the nth from the start. */
function retype(value: unknown, nth: { left: number }, by: unknown): unknown {
	nth.left -= 1;
	if (nth.left === 0) return by;
	if (Array.isArray(value)) return value.map((item) => retype(item, nth, by));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, retype(inner, nth, by)]));
}

const mutation = fc.oneof(
	fc.record({ how: fc.constant('cut' as const), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
	fc.record({ how: fc.constant('flip' as const), at: fc.double({ min: 0, max: 1, noNaN: true }), by: fc.nat(255) }),
	fc.record({ how: fc.constant('retype' as const), nth: fc.integer({ min: 1, max: 3000 }), by: junk }),
);

test(`of ${MUTATIONS} damaged bodies each is read or refused in words, and all that it records is an event`, {
	timeout: 120_000,
}, () => {
	const ports = { now: () => 0, digest: () => 'd'.repeat(64) };
	let accepted = 0;
	let refused = 0;
	fc.assert(
		fc.property(fc.constantFrom(...bodies.keys()), mutation, (name, change) => {
			const body = bodies.get(name) ?? Buffer.alloc(0);
			const bytes = Buffer.from(body);
			const index = 'at' in change ? Math.floor(change.at * (bytes.length - 1)) : 0;
			if (change.how === 'flip') bytes[index] = change.by;
			const tree = () =>
				change.how === 'retype' ? retype(JSON.parse(String(body)), { left: change.nth }, change.by) : 0;
			const isTree = change.how === 'retype' && formOf(name) === 'json';
			const sent = isTree ? json(tree()) : change.how === 'cut' ? bytes.subarray(0, index) : bytes;
			const decoded = decode(signalOf(name), formOf(name), sent);
			if ('refused' in decoded) {
				refused += 1;
				expect(decoded).toEqual({ refused: 'otlp/invalid', why: expect.stringMatching(/^[A-Z].*\.$/) });
				return;
			}
			for (const fact of decoded.facts) {
				const event = telemetryEvent(fact, { ...emptyView(fact.sessionId), agent: fact.make }, listPrices, ports);
				expect(parseEvent(JSON.parse(JSON.stringify(event)))).not.toHaveProperty('unknown');
				accepted += 1;
			}
		}),
		{ numRuns: MUTATIONS, seed: 20_261_123, endOnFailure: true },
	);
	expect(accepted).toBeGreaterThan(MUTATIONS);
	expect(refused).toBeGreaterThan(MUTATIONS / 10);
});

test('every field of another type than it should have is left out, and costs nothing but its record', () => {
	const [group] = JSON.parse(String(bodies.get('claude-code-logs.jsonl'))).resourceLogs;
	const logRecords = group.scopeLogs[0].logRecords.slice(1, 3);
	const body = { resourceLogs: [{ ...group, scopeLogs: [{ logRecords }] }] };
	const before = decode('logs', 'json', json(body));
	for (const by of [null, 7, 'text', [], {}]) {
		for (let nth = 2; nth < 150; nth += 1) {
			const decoded = decode('logs', 'json', json(retype(body, { left: nth }, by)));
			if ('refused' in decoded) continue;
			expect(decoded.facts.length).toBeLessThanOrEqual('facts' in before ? before.facts.length : 0);
		}
	}
	expect(decode('logs', 'json', json({ resourceLogs: [{ scopeLogs: [{ logRecords: [1, null, {}] }, 'x'] }] }))).toEqual(
		{
			records: 1,
			rejected: 3,
			facts: [],
		},
	);
});

test('bombs are refused or read in part: depth, a million records, a stream that unpacks without end', () => {
	const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
	for (const signal of SIGNALS) {
		expect(decode(signal, 'json', json(deep))).toMatchObject({ refused: 'otlp/invalid' });
		expect(decode(signal, 'protobuf', Buffer.alloc(1_000_000, 0x0b))).toMatchObject({ refused: 'otlp/invalid' });
		expect(decode(signal, 'protobuf', Buffer.alloc(100_000, 0xff))).toMatchObject({ refused: 'otlp/invalid' });
	}
	const value = `{"key":"k","value":${'{"arrayValue":{"values":['.repeat(20_000)}${']}}'.repeat(20_000)}}`;
	const record = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"attributes":[${value}]}]}]}]}`;
	expect(decode('logs', 'json', json(record))).toEqual({ records: 1, rejected: 0, facts: [] });

	const million = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${'{},'.repeat(999_999)}{}]}]}]}`;
	expect(decode('logs', 'json', json(million))).toEqual({
		records: MAX_RECORDS,
		rejected: 1_000_000 - MAX_RECORDS,
		facts: [],
	});
	const zipped = gzipSync(Buffer.alloc(MAX_UNPACKED + 1, 0x20));
	expect(zipped.length).toBeLessThan(100_000);
	expect(decode('logs', 'json', zipped, true)).toEqual({ refused: 'otlp/too-large' });
	expect(decode('logs', 'json', Buffer.from('no gzip'), true)).toEqual({ refused: 'otlp/invalid' });
});

test('an empty request of each signal is one, in both forms; metrics are taken and left', () => {
	for (const signal of SIGNALS) {
		expect(decode(signal, 'json', json({}))).toEqual({ records: 0, rejected: 0, facts: [] });
		expect(decode(signal, 'protobuf', Buffer.alloc(0))).toEqual({ records: 0, rejected: 0, facts: [] });
	}
	const metrics = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'claude_code.token.usage' }] }] }] };
	expect(decode('metrics', 'json', json(metrics))).toEqual({ records: 0, rejected: 0, facts: [] });
});
