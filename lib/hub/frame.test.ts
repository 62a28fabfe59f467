import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_BODY_BYTES, MAX_HEADER_BYTES } from '../contract/hub/hub-wire.ts';
import { decodeEdgeFrame, decodeHubFrame, encodeEdgeFrame, encodeHubFrame } from './frame.ts';

const digest = 'a'.repeat(64);
const range = { session: 's1', turn: 1, from: 10, to: 13, digest, journal: 2, bytes: 3 };
const samples = [
	encodeEdgeFrame('hello', {
		...{ edge: 1, wire: 1, counter: 3, journal: { n: 9, hash: digest }, version: '0.1.0', signature: 'A'.repeat(86) },
	}),
	encodeEdgeFrame('sessions', { sessions: [{ id: 's1', size: 9, birth: '2026-01-01T00:00:00Z' }] }),
	encodeEdgeFrame('journal', { bytes: 2 }, new Uint8Array([1, 2])),
	encodeEdgeFrame('range', range, new Uint8Array([1, 2, 3])),
	encodeEdgeFrame('ticket', { open: [{ id: 'ticket-1', digest, nonce: 'n'.repeat(22), leftMs: 900 }] }),
	encodeEdgeFrame('result', { n: 4, state: 'refused', why: 'approval/late', journal: 0 }),
	encodeEdgeFrame('features', { features: [{ id: 'abcdefabcdef-2026-01-01_cart', sheet: digest }] }),
	encodeEdgeFrame('blob', { feature: 'abcdefabcdef-2026-01-01_cart', digest, bytes: 2 }, new Uint8Array([1, 2])),
	encodeEdgeFrame('status', { behind: 0, sessions: 2, at: '2026-01-01T00:00:00Z' }),
];
const answers = [
	encodeHubFrame('challenge', { wire: 1, nonce: 'n'.repeat(22) }),
	encodeHubFrame('welcome', { counter: 1, journal: 0, credit: 9, team: 't', name: 'h' }),
	encodeHubFrame('at', { session: 's1', turn: 1, offset: 0, digest: '' }),
	encodeHubFrame('ack', { session: 's1', turn: 1, to: 9 }),
	encodeHubFrame('ack-journal', { n: 3 }),
	encodeHubFrame('slow', { ms: 9 }),
	encodeHubFrame('command', { n: 4, kind: 'decision', envelope: '{}' }),
	encodeHubFrame('lease', { ms: 60_000 }),
	encodeHubFrame('want', { feature: 'abcdefabcdef-2026-01-01_cart', digest }),
	encodeHubFrame('kept', { feature: 'abcdefabcdef-2026-01-01_cart', sheet: digest }),
];

test('a frame is read as it was written, and no frame of one side is one of the other', () => {
	expect(samples.map(decodeEdgeFrame).filter((frame) => 'bad' in frame)).toEqual([]);
	expect(answers.map(decodeHubFrame).filter((frame) => 'bad' in frame)).toEqual([]);
	expect(decodeEdgeFrame(samples[3] ?? new Uint8Array())).toEqual({
		...{ type: 'range', header: range, body: new Uint8Array([1, 2, 3]) },
	});
	for (const sample of samples) expect(decodeHubFrame(sample)).toHaveProperty('bad');
	for (const answer of answers) expect(decodeEdgeFrame(answer)).toHaveProperty('bad');
});

test('what a newer program adds to a header is left out', () => {
	const newer = { ...range, later: true } as typeof range;
	expect(decodeEdgeFrame(encodeEdgeFrame('range', newer))).toMatchObject({ type: 'range', header: range });
});

test.each([
	['nothing', new Uint8Array(0), /shorter/],
	['an unknown type', new Uint8Array([77, 0, 0, 0, 0]), /type 77/],
	['a header that ends too late', new Uint8Array([4, 0, 0, 1, 0, 123]), /within its header/],
	['a header without end', new Uint8Array([4, 255, 255, 255, 255]), /a header of/],
	['a header just over the limit', new Uint8Array([4, 0, 4, 0, 1]), new RegExp(String(MAX_HEADER_BYTES + 1))],
	['no JSON', encodeEdgeFrame('range', 'x' as never).map((byte) => (byte === 34 ? 0 : byte)), /not JSON/],
	['a range that goes back', encodeEdgeFrame('range', { ...range, to: 10 }), /ends behind/],
	['a body that is not its range', encodeEdgeFrame('range', { ...range, bytes: 2 }), /as long as/],
	['a session out of its folder', encodeEdgeFrame('range', { ...range, session: '../s1' }), /range: session/],
	['an offset that is no whole number', encodeEdgeFrame('range', { ...range, from: 1.5 }), /range: from/],
	['too large a body', encodeEdgeFrame('range', range, new Uint8Array(MAX_BODY_BYTES + 2000)), /a body of/],
])('R1741 %s is refused with its reason', (_what, bytes, reason) => {
	const frame = decodeEdgeFrame(bytes);
	expect('bad' in frame && frame.bad).toMatch(reason);
});

test('R1741 of spoilt frames each is read or refused with a reason, and nothing is thrown', () => {
	const spoilt = fc.tuple(
		fc.constantFrom(...samples, ...answers),
		fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 8 }),
		fc.nat(400),
		fc.uint8Array({ maxLength: 40 }),
	);
	const numRuns = 3000;
	let refused = 0;
	fc.assert(
		fc.property(fc.oneof(spoilt, fc.uint8Array({ maxLength: 400 })), (found) => {
			const bytes = found instanceof Uint8Array ? found : spoil(found);
			for (const frame of [decodeEdgeFrame(bytes), decodeHubFrame(bytes)]) {
				if ('bad' in frame) refused += 1;
				expect('bad' in frame ? frame.bad : frame.type).toMatch(/./);
			}
		}),
		{ numRuns },
	);
	expect(refused).toBeGreaterThan(numRuns);
});

function spoil([sample, changes, cut, more]: [Uint8Array, [number, number][], number, Uint8Array]): Uint8Array {
	const bytes = new Uint8Array([...sample.subarray(0, sample.length - (cut % sample.length)), ...more]);
	for (const [at, value] of changes) bytes[at % bytes.length] = value;
	return bytes;
}
