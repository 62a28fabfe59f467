import type { RedactionCounts } from '../contract/archives/features.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';

/** Returns the salted digest of a text, as hex. */
export type SaltedHash = (text: string) => string;

/** Fields whose values belong to the record: names, ids, states and verdicts. All others contain somebody's text. */
const KEPT = new Set([
	...[
		'ts',
		'type',
		'category',
		'sessionId',
		'agentId',
		'toolUseId',
		'startedAgentId',
		'approvalId',
		'grantId',
		'planId',
	],
	...[
		'tool',
		'agent',
		'stage',
		'stages',
		'result',
		'mode',
		'group',
		'workflowType',
		'currentStage',
		'featureName',
		'status',
	],
	...['gate', 'decision', 'rule', 'form', 'hook', 'rating', 'validator', 'actual', 'expected', 'role', 'via', 'state'],
	...[
		'source',
		'trigger',
		'notice',
		'name',
		'code',
		'scope',
		'deadline',
		'expires',
		'version',
		'model',
		'progress',
		'kind',
	],
]);
/** Values in here are entirely an agent's or a person's, numbers included. */
const OPAQUE = new Set([
	...[
		'input',
		'updatedInput',
		'prompt',
		'response',
		'output',
		'facts',
		'fields',
		'error',
		'message',
		'text',
		'question',
	],
	...['evidence', 'todos', 'denials', 'standing'],
]);
/** Ids are digests of texts, which a guess could be compared with. */
const HASHED = new Set(['id', 'causedBy', 'requestId']);
/** The known fields of an event type of another program. */
const ENVELOPE = new Set([
	'id',
	'ts',
	'type',
	'category',
	'label',
	'sessionId',
	'agentId',
	'toolUseId',
	'causedBy',
	'requestId',
	'seq',
]);
/** Without spaces: a sentence is not a name. */
const PLAIN_WORD = /^[\w.:#@+/-]{0,64}$/;
const PLAIN_KEY = /^[A-Za-z_][\w.-]{0,63}$/;

/**
 * An event without its texts: prompts, inputs and outputs become their length and a salted digest, equal ones equal; keys, names,
 * states and verdicts remain. The shape remains, so that it can be folded.
 */
export function redactEvent(event: IndexedEvent, hash: SaltedHash): Record<string, unknown> {
	const isForeign = 'unknown' in event;
	return Object.fromEntries(
		Object.entries(event).map(([key, value]) => {
			const opaque = isForeign && !ENVELOPE.has(key) && key !== 'unknown' && key !== 'unverified';
			return [keyOf(key, hash), opaque ? redactAll(value, hash) : redactField(key, value, hash)];
		}),
	);
}

function redactField(key: string, value: unknown, hash: SaltedHash): unknown {
	if (HASHED.has(key)) return typeof value === 'string' ? hash(value) : redactAll(value, hash);
	if (OPAQUE.has(key)) return redactVerdicts(value, hash);
	if (typeof value === 'string') return KEPT.has(key) && PLAIN_WORD.test(value) ? value : mask(value, hash);
	if (Array.isArray(value)) return value.map((item) => redactField(key, item, hash));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([inner, item]) => [keyOf(inner, hash), redactField(inner, item, hash)]),
	);
}

/** Gate and rule of a denial stay readable. */
function redactVerdicts(value: unknown, hash: SaltedHash): unknown {
	if (!Array.isArray(value)) return redactAll(value, hash);
	return value.map((item: unknown) => {
		if (typeof item !== 'object' || item === null || !('gate' in item) || !('rule' in item))
			return redactAll(item, hash);
		const { gate, rule } = item;
		return {
			...(redactAll(item, hash) as object),
			gate: redactField('gate', gate, hash),
			rule: redactField('rule', rule, hash),
		};
	});
}

function redactAll(value: unknown, hash: SaltedHash): unknown {
	if (Array.isArray(value)) return value.map((item) => redactAll(item, hash));
	if (typeof value === 'object' && value !== null) {
		return Object.fromEntries(Object.entries(value).map(([key, item]) => [keyOf(key, hash), redactAll(item, hash)]));
	}
	return value === null ? null : mask(String(value), hash);
}

function mask(text: string, hash: SaltedHash): string {
	return `[redacted: ${text.length} characters, ${hash(text)}]`;
}

function keyOf(key: string, hash: SaltedHash): string {
	return PLAIN_KEY.test(key) && key !== '__proto__' ? key : `key-${hash(key)}`;
}

const MARK = /\[redacted: (\d+) characters, 0\]/g;
const NONE = () => '0';

/** Counts what the redaction of an export would remove, by redacting each event. */
export function createRedactionPreview(leftOut: number) {
	const fields = new Map<string, RedactionCounts['fields'][number]>();
	let [events, touched, ids] = [0, 0, 0];
	return {
		add(event: IndexedEvent): void {
			events += 1;
			let isTouched = false;
			for (const [field, value] of Object.entries(redactEvent(event, NONE))) {
				const text = JSON.stringify(value) ?? '';
				if (text === '"0"' && text !== JSON.stringify(event[field as keyof IndexedEvent])) ids += 1;
				for (const [, characters] of text.matchAll(MARK)) {
					isTouched = true;
					const key = `${event.type} ${field}`;
					const one = fields.get(key) ?? { type: event.type, field, count: 0, characters: 0 };
					fields.set(key, one);
					one.count += 1;
					one.characters += Number(characters);
				}
			}
			if (isTouched) touched += 1;
		},
		counted: (): RedactionCounts => ({
			events,
			touched,
			ids,
			leftOut,
			fields: [...fields.values()].sort((one, other) => other.characters - one.characters),
		}),
	};
}
