import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Signal } from '#lib/otlp/otlp-record.ts';

/** In which of the two forms a request came; the answer takes the same. */
export type OtlpForm = 'json' | 'protobuf';

export const FORM_TYPES: Readonly<Record<OtlpForm, string>> = {
	json: 'application/json',
	protobuf: 'application/x-protobuf',
};

const REJECTED: Readonly<Record<Signal, string>> = {
	logs: 'rejectedLogRecords',
	metrics: 'rejectedDataPoints',
	traces: 'rejectedSpans',
};

/** The body of a 200: nothing, or how many records were not taken and why. */
export function exportAnswer(form: OtlpForm, signal: Signal, rejected: number, why: string): Uint8Array {
	if (form === 'json') {
		return asBytes(
			rejected === 0 ? {} : { partialSuccess: { [REJECTED[signal]]: String(rejected), errorMessage: why } },
		);
	}
	const writer = new BinaryWriter();
	if (rejected === 0) return writer.finish();
	writer.tag(1, WireType.LengthDelimited).fork();
	writer.tag(1, WireType.Varint).int64(rejected).tag(2, WireType.LengthDelimited).string(why);
	return writer.join().finish();
}

/** The body of a refusal: a `google.rpc.Status` with its words; its code says no more than the HTTP status. */
export function refusalAnswer(form: OtlpForm, message: string): Uint8Array {
	if (form === 'json') return asBytes({ message });
	return new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish();
}

const asBytes = (value: object) => Buffer.from(JSON.stringify(value));
