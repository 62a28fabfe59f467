import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { NotOtlp, type Signal } from './otlp-record.ts';

type Kind = 'text' | 'hex' | 'nanos' | 'integer' | 'double' | 'bool' | MessageName;
interface Field {
	name: string;
	kind: Kind;
	many?: true;
}

const one = (name: string, kind: Kind): Field => ({ name, kind });
const many = (name: string, kind: MessageName): Field => ({ name, kind, many: true });
const attributes = many('attributes', 'KeyValue');

/**
 * Fields of opentelemetry-proto by number. No message contains itself, since lists and maps are skipped: a body is never deeper
 * than this table.
 */
const messages = {
	logs: { 1: many('resourceLogs', 'ResourceLogs') },
	traces: { 1: many('resourceSpans', 'ResourceSpans') },
	metrics: { 1: many('resourceMetrics', 'ResourceMetrics') },
	ResourceLogs: { 1: one('resource', 'Resource'), 2: many('scopeLogs', 'ScopeLogs') },
	ResourceSpans: { 1: one('resource', 'Resource'), 2: many('scopeSpans', 'ScopeSpans') },
	ResourceMetrics: { 2: many('scopeMetrics', 'ScopeMetrics') },
	Resource: { 1: attributes },
	ScopeLogs: { 2: many('logRecords', 'LogRecord') },
	ScopeSpans: { 2: many('spans', 'Span') },
	ScopeMetrics: { 2: many('metrics', 'Metric') },
	LogRecord: {
		1: one('timeUnixNano', 'nanos'),
		5: one('body', 'AnyValue'),
		6: attributes,
		11: one('observedTimeUnixNano', 'nanos'),
		12: one('eventName', 'text'),
	},
	Span: {
		2: one('spanId', 'hex'),
		5: one('name', 'text'),
		8: one('endTimeUnixNano', 'nanos'),
		9: attributes,
		15: one('status', 'Status'),
	},
	Metric: {},
	Status: { 3: one('code', 'integer') },
	KeyValue: { 1: one('key', 'text'), 2: one('value', 'AnyValue') },
	AnyValue: {
		1: one('stringValue', 'text'),
		2: one('boolValue', 'bool'),
		3: one('intValue', 'integer'),
		4: one('doubleValue', 'double'),
	},
} as const satisfies Record<string, Readonly<Record<number, Field>>>;

type MessageName =
	| Signal
	| `${'Resource' | 'Scope'}${'Logs' | 'Spans' | 'Metrics'}`
	| ('Resource' | 'LogRecord' | 'Span' | 'Metric' | 'Status' | 'KeyValue' | 'AnyValue');

const fieldsOf: Readonly<Record<MessageName, Readonly<Record<number, Field>>>> = messages;

/** An empty message takes two bytes, and much more once it is read. */
const MAX_MESSAGES = 2_000_000;

const MAX_HEX = 16;

const WIRE: Readonly<Record<Exclude<Kind, MessageName>, WireType>> = {
	text: WireType.LengthDelimited,
	hex: WireType.LengthDelimited,
	nanos: WireType.Bit64,
	integer: WireType.Varint,
	double: WireType.Bit64,
	bool: WireType.Varint,
};

/** Reads a protobuf body into the form of its JSON. Throws NotOtlp. */
export function readProtobuf(signal: Signal, body: Uint8Array): unknown {
	try {
		return readMessage(signal, body, { left: MAX_MESSAGES });
	} catch (error) {
		if (error instanceof NotOtlp) throw error;
		throw new NotOtlp(`The body is not the protobuf of an OTLP request for ${signal}.`, { cause: error });
	}
}

function readMessage(name: MessageName, bytes: Uint8Array, budget: { left: number }): Record<string, unknown> {
	budget.left -= 1;
	if (budget.left < 0) throw new NotOtlp('The body is made of too many messages: send fewer records at once.');
	const fields = fieldsOf[name];
	const message: Record<string, unknown> = {};
	const reader = new BinaryReader(bytes);
	while (reader.pos < reader.len) {
		const [number, wire] = reader.tag();
		// Groups can be nested without limit.
		if (wire === WireType.StartGroup || wire === WireType.EndGroup) throw new NotOtlp('OTLP has no groups.');
		const field = fields[number];
		if (field === undefined || wire !== wireOf(field.kind)) reader.skip(wire, number);
		else if (isMessage(field.kind)) {
			const inner = readMessage(field.kind, reader.bytes(), budget);
			if (field.many) listAt(message, field.name).push(inner);
			else message[field.name] = inner;
		} else message[field.name] = readPlain(reader, field.kind);
	}
	return message;
}

const isMessage = (kind: Kind): kind is MessageName => !Object.hasOwn(WIRE, kind);

const wireOf = (kind: Kind): WireType => (isMessage(kind) ? WireType.LengthDelimited : WIRE[kind]);

function listAt(message: Record<string, unknown>, name: string): unknown[] {
	const list = message[name];
	if (Array.isArray(list)) return list;
	const fresh: unknown[] = [];
	message[name] = fresh;
	return fresh;
}

function readPlain(reader: BinaryReader, kind: Exclude<Kind, MessageName>): string | number | boolean {
	switch (kind) {
		case 'text':
			return reader.string();
		case 'hex':
			return Array.from(reader.bytes().subarray(0, MAX_HEX), (byte) => byte.toString(16).padStart(2, '0')).join('');
		case 'nanos':
			return String(reader.fixed64());
		case 'integer':
			return Number(reader.int64());
		case 'double':
			return reader.double();
		case 'bool':
			return reader.bool();
	}
}
