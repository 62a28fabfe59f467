import { gunzipSync } from 'node:zlib';
import { telemetryFacts } from '#hooks-bridge/agents/setup-of.ts';
import { NotOtlp, readTree, type Signal } from '#lib/otlp/otlp-record.ts';
import { readProtobuf } from '#lib/otlp/read-protobuf.ts';
import type { TelemetryFact } from '#lib/otlp/telemetry-fact.ts';

export const MAX_UNPACKED = 16 * 1024 * 1024;

export type OtlpForm = 'json' | 'protobuf';

export interface OtlpBody {
	signal: Signal;
	form: OtlpForm;
	isZipped: boolean;
	bytes: Uint8Array;
}

export type DecodedBody =
	| { records: number; rejected: number; facts: TelemetryFact[] }
	| { refused: 'otlp/invalid' | 'otlp/too-large'; why?: string };

/** Reads a body of any bytes; never throws. */
export function decodeBody({ signal, form, isZipped, bytes }: OtlpBody): DecodedBody {
	try {
		const plain = isZipped ? gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED }) : bytes;
		const tree = form === 'json' ? readJson(plain) : readProtobuf(signal, plain);
		const { records, rejected } = readTree(signal, tree);
		return { records: records.length, rejected, facts: telemetryFacts(records) };
	} catch (error) {
		if (error instanceof NotOtlp) return { refused: 'otlp/invalid', why: error.message };
		const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
		return isTooLarge ? { refused: 'otlp/too-large' } : { refused: 'otlp/invalid' };
	}
}

function readJson(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
	} catch {
		throw new NotOtlp('The body is not JSON.');
	}
}
