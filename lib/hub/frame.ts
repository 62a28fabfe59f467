import type * as z from 'zod';
import {
	type EdgeFrame,
	type EdgeFrameType,
	edgeFrames,
	type HubFrame,
	type HubFrameType,
	hubFrames,
	MAX_BODY_BYTES,
	MAX_HEADER_BYTES,
} from '../contract/hub/hub-wire.ts';

/** One byte a type; those of hubs begin at 128. A number is never reused. */
const EDGE_TYPES: Readonly<Record<EdgeFrameType, number>> = {
	hello: 1,
	sessions: 2,
	journal: 3,
	range: 4,
	ticket: 5,
	result: 7,
	status: 8,
	features: 9,
	blob: 10,
};
const HUB_TYPES: Readonly<Record<HubFrameType, number>> = {
	challenge: 129,
	welcome: 130,
	at: 131,
	ack: 132,
	'ack-journal': 133,
	slow: 134,
	command: 135,
	lease: 136,
	want: 137,
	kept: 138,
};
/** The type, and the header's length in four bytes, big-endian. */
const START = 5;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

interface BadFrame {
	bad: string;
}

function encode(code: number, header: object, body: Uint8Array): Uint8Array {
	const text = encoder.encode(JSON.stringify(header));
	const frame = new Uint8Array(START + text.length + body.length);
	new DataView(frame.buffer).setUint32(1, text.length);
	frame[0] = code;
	frame.set(text, START);
	frame.set(body, START + text.length);
	return frame;
}

const EMPTY = new Uint8Array(0);

export function encodeEdgeFrame<T extends EdgeFrameType>(
	type: T,
	header: z.input<(typeof edgeFrames)[T]>,
	body: Uint8Array = EMPTY,
): Uint8Array {
	return encode(EDGE_TYPES[type], header, body);
}

export function encodeHubFrame<T extends HubFrameType>(type: T, header: z.input<(typeof hubFrames)[T]>): Uint8Array {
	return encode(HUB_TYPES[type], header, EMPTY);
}

/** Never throws: the result is a frame or the reason why it is none. */
export function decodeEdgeFrame(bytes: Uint8Array): EdgeFrame | BadFrame {
	return decode(bytes, EDGE_TYPES, edgeFrames) as EdgeFrame | BadFrame;
}

/** As `decodeEdgeFrame`, from the other side. */
export function decodeHubFrame(bytes: Uint8Array): HubFrame | BadFrame {
	return decode(bytes, HUB_TYPES, hubFrames) as HubFrame | BadFrame;
}

function decode(
	bytes: Uint8Array,
	types: Readonly<Record<string, number>>,
	schemas: Readonly<Record<string, z.ZodType>>,
): { type: string; header: unknown; body: Uint8Array } | BadFrame {
	if (bytes.length < START) return { bad: 'shorter than any frame' };
	const type = Object.keys(types).find((name) => types[name] === bytes[0]);
	const schema = type === undefined ? undefined : schemas[type];
	if (type === undefined || !schema) return { bad: `no frame has the type ${bytes[0]}` };
	const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(1);
	if (length > MAX_HEADER_BYTES) return { bad: `a header of ${length} bytes` };
	if (START + length > bytes.length) return { bad: 'it ends within its header' };
	const body = bytes.subarray(START + length);
	// Packed, a body may be a little longer.
	if (body.length > MAX_BODY_BYTES + 1024) return { bad: `a body of ${body.length} bytes` };
	let value: unknown;
	try {
		value = JSON.parse(decoder.decode(bytes.subarray(START, START + length)));
	} catch {
		return { bad: `the header of ${type} is not JSON` };
	}
	const header = schema.safeParse(value);
	if (header.success) return { type, header: header.data, body };
	const issue = header.error.issues[0];
	return { bad: `${type}: ${issue?.path.join('.') || 'header'}: ${issue?.message}` };
}

const MAX_SECONDS = 60;

/** The close reason of a hub that has no room now. */
export const retryAfterText = (seconds: number): string =>
	`more machines come at once than it takes: retry after ${seconds} s`;

/** The wait in seconds from such a close reason, at least 1; undefined for any other. */
export function readRetryAfter(words: string): number | undefined {
	const [, seconds] = /retry after (\d{1,4}) s$/.exec(words) ?? [];
	return seconds === undefined ? undefined : Math.min(MAX_SECONDS, Math.max(1, Number(seconds)));
}
