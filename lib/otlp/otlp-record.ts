/** The three signals, by the last part of their path. */
export const SIGNALS = ['logs', 'metrics', 'traces'] as const;
export type Signal = (typeof SIGNALS)[number];

/** What an attribute may hold that anybody here reads; lists and maps are left out. */
export type Scalar = string | number | boolean;

/** A log record or a span, as far as it is read. Everything in it is what some program has sent. */
export interface OtlpRecord {
	/** The event's name, or the span's. */
	name: string;
	/** `service.name` of its resource; empty where there is none. */
	service: string;
	/** When it happened, in ms since the epoch; of a span its end. Undefined where it does not say. */
	at: number | undefined;
	/** The same as it was sent, in nanoseconds: what is sent again has it again. */
	stamp: string;
	/** The span's id; empty for a log record. */
	spanId: string;
	/** Whether the span says that it failed. */
	failed: boolean;
	attributes: ReadonlyMap<string, Scalar>;
}

/** What a request held: its records, and how many of what should have been some are none or too many. */
export interface OtlpRead {
	records: OtlpRecord[];
	rejected: number;
}

/** A body that is no request of its signal, with why, in words for whoever set the exporter up. */
export class NotOtlp extends Error {}

/** Records of one request that are read; exporters send 512 or so at once. */
export const MOST_RECORDS = 50_000;
/** Attributes of one record that are read. */
export const MOST_ATTRIBUTES = 256;
/** The longest text that is read of an attribute, in characters: names and ids are shorter, prompts nobody wants. */
export const LONGEST_TEXT = 1000;
