import { gzipSync } from 'node:zlib';
import { MAX_BODY_BYTES, MAX_RANGE_BYTES } from '#lib/contract/hub/hub-wire.ts';
import { encodeEdgeFrame } from '#lib/hub/frame.ts';
import { packBody } from '#server/hub-protocol/pack-body.ts';

/** Draws a whole number from 0 up to, not including, `end`. */
export type Draw = (end: number) => number;

/** A seeded draw: the same seed gives the same numbers. */
export function drawFrom(seed: number): Draw {
	let state = seed >>> 0;
	return (end) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * end);
	};
}

/** One of a list. */
export const oneOf = <T>(draw: Draw, list: readonly [T, ...T[]]): T => list[draw(list.length)] ?? list[0];

const digest = 'a'.repeat(64);
const birth = '2026-01-01T00:00:00.000Z';
const BOMB = gzipSync(Buffer.alloc(64 * 1024 * 1024));
const NUMBERS = [-1, 0, 1, 7, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 1e300, 0.5, Number.NaN] as const;
const WORDS = [
	...['', 's1', 'probe', '..', '../../etc', 'a\u0000b', '\ud800', 'x'.repeat(300), '__proto__', 'constructor'],
	...['%00', "'; DROP TABLE events; --", '\u202eevil', '9'.repeat(40), '\n', '2026-01-01', 'ﬀ'],
] as const;

/** Anything that JSON may hold, a few levels deep. */
function oddValue(draw: Draw, depth = 0): unknown {
	const kind = draw(depth > 2 ? 4 : 6);
	if (kind === 0) return oneOf(draw, NUMBERS);
	if (kind === 1) return oneOf(draw, WORDS);
	if (kind === 2) return draw(2) === 0;
	if (kind === 3) return null;
	if (kind === 4) return Array.from({ length: draw(4) }, () => oddValue(draw, depth + 1));
	return Object.fromEntries(Array.from({ length: draw(4) }, () => [oneOf(draw, WORDS), oddValue(draw, depth + 1)]));
}

const TYPES = [
	...['prompt:submit', 'tool:call', 'tool:result', 'gate:verdict', 'agent:start', 'agent:stop', 'session:start'],
	...[
		'session:end',
		'approval:request',
		'approval:resolve',
		'grant:use',
		'alarm:raise',
		'system:gap',
		'usage:turn',
		'x',
	],
] as const;
const FIELDS = [
	...[
		'id',
		'ts',
		'type',
		'category',
		'label',
		'sessionId',
		'toolUseId',
		'agentId',
		'tool',
		'input',
		'output',
		'prompt',
	],
	...[
		'source',
		'decision',
		'gate',
		'cwd',
		'project',
		'approvalId',
		'by',
		'startedAgentId',
		'seq',
		'unverified',
		'usage',
	],
] as const;

/** A line of a timeline as only somebody hostile writes it. */
function oddLine(draw: Draw, n: number): string {
	const event: Record<string, unknown> = {
		...{ id: `e${n}`, ts: birth, type: oneOf(draw, TYPES), category: 'c', label: 'l', tool: 'Bash' },
		...{ toolUseId: `call-${draw(9)}`, input: { command: 'ls' }, prompt: 'x', source: 'user' },
	};
	for (let changes = draw(4); changes > 0; changes -= 1) event[oneOf(draw, FIELDS)] = oddValue(draw);
	const text = JSON.stringify(event);
	const how = draw(12);
	if (how === 0) return text.slice(0, draw(text.length));
	if (how === 1) return text.replace('"x"', '"\u0000\\u0000\\ud800"');
	if (how === 2) return `${'['.repeat(5000)}${']'.repeat(5000)}`;
	if (how === 3) return `{"__proto__":{"x":1},${text.slice(1)}`;
	if (how === 4) return text.replaceAll('l', '\u0000');
	return text;
}

/** Bytes of a range, and whether a hub takes them at all. */
export function oddLines(draw: Draw, n: number): Buffer {
	const how = draw(20);
	if (how === 0)
		return Buffer.from(`{"id":"big${n}","x":"${'y'.repeat(MAX_BODY_BYTES - 60)}"}\n`).subarray(-MAX_BODY_BYTES);
	if (how === 1) return Buffer.from('a\n'.repeat(MAX_RANGE_BYTES / 2));
	if (how === 2) return Buffer.from('\n'.repeat(MAX_RANGE_BYTES));
	if (how === 3) return Buffer.from(Array.from({ length: 1 + draw(400) }, () => draw(256))).subarray(0);
	const lines = Array.from({ length: 1 + draw(30) }, (_, at) => oddLine(draw, n * 100 + at));
	return Buffer.from(`${lines.join('\n')}\n`);
}

/** A header in which some fields are anything. */
function spoil(draw: Draw, header: Record<string, unknown>): Record<string, unknown> {
	const names = Object.keys(header);
	for (let changes = draw(3); changes > 0; changes -= 1) header[names[draw(names.length)] ?? 'x'] = oddValue(draw);
	return header;
}

function oddHeader(draw: Draw): [type: Parameters<typeof encodeEdgeFrame>[0], header: object, body?: Uint8Array] {
	const lines = oddLines(draw, draw(1000));
	const at = { from: oneOf(draw, [0, 3, 2 ** 40]), turn: draw(5) };
	const range = {
		session: oneOf(draw, ['s1', 'probe', 'victim']),
		...at,
		to: at.from + lines.length,
		digest,
		journal: 0,
	};
	const row = {
		...{ n: 1 + draw(5), id: 'row', ts: birth, kind: 'approval:resolve', subject: 'x', sessionId: null },
		...{ payloadHash: digest, signer: 'x', hash: digest, payload: '{}' },
	};
	const rows = Buffer.from(JSON.stringify(Array.from({ length: draw(3) }, () => spoil(draw, { ...row }))));
	switch (draw(9)) {
		case 0:
			return ['range', spoil(draw, { ...range, bytes: lines.length }), packBody(lines)];
		case 1:
			return ['range', { ...range, to: at.from + MAX_BODY_BYTES, bytes: MAX_BODY_BYTES }, BOMB];
		case 2:
			return ['range', spoil(draw, { ...range, bytes: 0 })];
		case 3:
			return ['sessions', { sessions: [spoil(draw, { id: 's1', size: 9, birth }), { id: 'probe', size: 1, birth }] }];
		case 4:
			return [
				'sessions',
				{
					sessions: [
						{ id: `new${draw(1e9)}`, size: 2 ** 50, birth: oneOf(draw, ['-271821-04-20', '9999-12-31', birth]) },
					],
				},
			];
		case 5:
			return ['journal', spoil(draw, { bytes: rows.length }), packBody(rows)];
		case 6:
			return ['status', spoil(draw, { behind: 0, lateMs: 0, sessions: 0, at: birth })];
		case 7:
			return ['result', spoil(draw, { n: 1, state: 'done', journal: 1, why: 'x' })];
		default:
			return ['ticket', spoil(draw, { open: [] })];
	}
}

/** A frame as only somebody hostile sends it; some are as they should be. */
export function oddFrame(draw: Draw): Uint8Array {
	const how = draw(8);
	if (how === 0) return new Uint8Array(Array.from({ length: draw(200) }, () => draw(256)));
	const frame = encodeEdgeFrame(...(oddHeader(draw) as Parameters<typeof encodeEdgeFrame>));
	if (how === 1) return frame.slice(0, draw(frame.length));
	if (how === 2) for (let flips = 1 + draw(3); flips > 0; flips -= 1) frame[draw(frame.length)] = draw(256);
	return frame;
}
