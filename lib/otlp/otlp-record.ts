export const SIGNALS = ['logs', 'metrics', 'traces'] as const;
export type Signal = (typeof SIGNALS)[number];

export type Scalar = string | number | boolean;

/** A log record or a span; everything in it is unverified. */
export interface OtlpRecord {
	name: string;
	service: string;
	/** Milliseconds since the epoch; of a span its end. */
	at: number | undefined;
	/** As sent, in nanoseconds: equal if it is sent again. */
	stamp: string;
	spanId: string;
	failed: boolean;
	attributes: ReadonlyMap<string, Scalar>;
}

/** `rejected`: unreadable or too many. */
interface OtlpRead {
	records: OtlpRecord[];
	rejected: number;
}

/** The body is no OTLP at all; its message is the answer to the exporter. */
export class NotOtlp extends Error {}

/** Exporters send about 512 at once. */
export const MAX_RECORDS = 50_000;
const MAX_ATTRIBUTES = 256;
const MAX_TEXT = 1000;

type Tree = Readonly<Record<string, unknown>>;

const PLACES = {
	logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
	traces: ['resourceSpans', 'scopeSpans', 'spans'],
	metrics: ['resourceMetrics', 'scopeMetrics', 'metrics'],
} as const satisfies Record<Signal, readonly string[]>;

/**
 * Leaves out values of a wrong type, and counts those that should have been a record. Metrics give numbers only. Throws NotOtlp.
 */
export function readTree(signal: Signal, root: unknown): OtlpRead {
	const [resources, scopes, items] = PLACES[signal];
	if (!isTree(root)) throw new NotOtlp(`The body is not an object with ${resources}.`);
	if (root[resources] !== undefined && !Array.isArray(root[resources]))
		throw new NotOtlp(`The body’s ${resources} is no list.`);
	const read: OtlpRead = { records: [], rejected: 0 };
	for (const group of treesIn(root[resources], read)) {
		const service = serviceOf(group.resource);
		for (const scope of treesIn(group[scopes], read)) {
			for (const item of treesIn(scope[items], read)) collectRecord(read, signal, item, service);
		}
	}
	return read;
}

function collectRecord(read: OtlpRead, signal: Signal, item: Tree, service: string): void {
	if (signal === 'metrics') return;
	if (read.records.length < MAX_RECORDS) read.records.push(readRecord(signal, item, service));
	else read.rejected += 1;
}

function serviceOf(resource: unknown): string {
	const attributes = isTree(resource) ? readAttributes(resource.attributes) : undefined;
	return textOf(attributes?.get('service.name'));
}

/** Entries that are not objects are rejected, and so is anything but a list. */
function* treesIn(list: unknown, read: OtlpRead): Generator<Tree> {
	if (list === undefined || list === null) return;
	if (!Array.isArray(list)) {
		read.rejected += 1;
		return;
	}
	for (const item of list) {
		if (isTree(item)) yield item;
		else read.rejected += 1;
	}
}

function readRecord(signal: 'logs' | 'traces', item: Tree, service: string): OtlpRecord {
	const attributes = readAttributes(item.attributes);
	if (signal === 'logs') {
		const name = eventName(item, attributes);
		const nanos = instant(item.timeUnixNano) === undefined ? item.observedTimeUnixNano : item.timeUnixNano;
		return { name, service, ...timeOf(nanos), spanId: '', failed: false, attributes };
	}
	const status = isTree(item.status) ? item.status.code : undefined;
	return {
		name: textOf(item.name),
		service,
		...timeOf(item.endTimeUnixNano),
		spanId: textOf(item.spanId),
		failed: status === 2 || status === 'STATUS_CODE_ERROR',
		attributes,
	};
}

/** Clients name an event in an attribute; one puts the whole name, with its own in front, into the body. */
function eventName(item: Tree, attributes: ReadonlyMap<string, Scalar>): string {
	const named = textOf(attributes.get('event.name'));
	const body = isTree(item.body) ? textOf(item.body.stringValue) : '';
	if (named !== '' && body.endsWith(`.${named}`)) return body;
	return named || textOf(item.eventName) || body;
}

function readAttributes(list: unknown): Map<string, Scalar> {
	const attributes = new Map<string, Scalar>();
	if (!Array.isArray(list)) return attributes;
	for (const pair of list.slice(0, MAX_ATTRIBUTES)) {
		if (!isTree(pair) || typeof pair.key !== 'string' || !isTree(pair.value)) continue;
		const value = scalarOf(pair.value);
		if (value !== undefined) attributes.set(pair.key, value);
	}
	return attributes;
}

/** JSON writes 64 bits as text, some exporters as a number. */
function scalarOf({ stringValue, intValue, doubleValue, boolValue }: Tree): Scalar | undefined {
	if (typeof stringValue === 'string') return stringValue.slice(0, MAX_TEXT);
	if (typeof boolValue === 'boolean') return boolValue;
	const number = intValue ?? doubleValue;
	if (typeof number !== 'number' && (typeof number !== 'string' || number === '')) return undefined;
	return Number.isFinite(Number(number)) ? Number(number) : undefined;
}

/** 64 bits have more digits than a number of JavaScript holds: text is cut first. */
const NANO_DIGITS = 6;
const LAST_MS = 8.64e15;

/** Nanoseconds as ms; 0 means unknown. */
function instant(nanos: unknown): number | undefined {
	if (typeof nanos !== 'number' && typeof nanos !== 'string') return undefined;
	const ms = Math.floor(typeof nanos === 'string' ? Number(nanos.slice(0, -NANO_DIGITS)) : nanos / 10 ** NANO_DIGITS);
	return ms > 0 && ms <= LAST_MS ? ms : undefined;
}

const timeOf = (nanos: unknown) => ({ at: instant(nanos), stamp: instant(nanos) === undefined ? '' : String(nanos) });

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : '');

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
