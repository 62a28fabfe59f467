import type { RedactionCounts } from '../contract/archives/features.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';

/** Returns the salted digest of a text, as hex. */
export type SaltedHash = (text: string) => string;

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Fields whose values belong to the record: names, ids, states and verdicts. All others contain somebody's text. */
const READABLE_FIELDS = words(`
	ts type category sessionId agentId toolUseId startedAgentId approvalId grantId planId
	tool agent stage stages result mode group workflowType currentStage featureName status
	gate decision rule form hook rating validator actual expected role via state
	source trigger notice name code scope deadline expires version model progress kind
`);
/** Fields in which every value is an agent's or a person's, numbers included. */
const TEXT_FIELDS = words(`
	input updatedInput prompt response output facts fields error message text question evidence todos denials standing
`);
/** Ids are digests of texts, which a guess could be compared with. */
const ID_FIELDS = words('id causedBy requestId');
/** The fields that are understood in an event whose type is unknown here; all its others are redacted completely. */
const ENVELOPE_FIELDS = words(`
	id ts type category label sessionId agentId toolUseId causedBy requestId seq unknown unverified
`);
/** Without spaces: a sentence is not a name. */
const PLAIN_WORD = /^[\w.:#@+/-]{0,64}$/;
const PLAIN_KEY = /^[A-Za-z_][\w.-]{0,63}$/;

/**
 * An event without its texts: prompts, inputs and outputs become their length and a salted digest, equal ones equal; keys, names,
 * states and verdicts remain. The shape remains, so that it can be folded.
 */
export function redactEvent(event: IndexedEvent, hash: SaltedHash): Record<string, unknown> {
	const isTypeUnknown = 'unknown' in event;
	return Object.fromEntries(
		Object.entries(event).map(([key, value]) => {
			const isUnderstood = !isTypeUnknown || ENVELOPE_FIELDS.has(key);
			return [redactKey(key, hash), isUnderstood ? redactField(key, value, hash) : redactAll(value, hash)];
		}),
	);
}

function redactField(key: string, value: unknown, hash: SaltedHash): unknown {
	if (ID_FIELDS.has(key)) return typeof value === 'string' ? hash(value) : redactAll(value, hash);
	if (TEXT_FIELDS.has(key)) return redactTexts(value, hash);
	if (typeof value === 'string') return READABLE_FIELDS.has(key) && PLAIN_WORD.test(value) ? value : mask(value, hash);
	if (Array.isArray(value)) return value.map((item) => redactField(key, item, hash));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([inner, item]) => [redactKey(inner, hash), redactField(inner, item, hash)]),
	);
}

/** Everything, except gate and rule of each denial in a list. */
function redactTexts(value: unknown, hash: SaltedHash): unknown {
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
		return Object.fromEntries(
			Object.entries(value).map(([key, item]) => [redactKey(key, hash), redactAll(item, hash)]),
		);
	}
	return value === null ? null : mask(String(value), hash);
}

function mask(text: string, hash: SaltedHash): string {
	return `[redacted: ${text.length} characters, ${hash(text)}]`;
}

function redactKey(key: string, hash: SaltedHash): string {
	return PLAIN_KEY.test(key) && key !== '__proto__' ? key : `key-${hash(key)}`;
}

/** The preview needs no digests, so each is this text. */
const NO_DIGEST = '0';
const MASKED_TEXT = /\[redacted: (\d+) characters, 0\]/g;

/** Counts what the redaction of an export would remove. `leftOut` files are not exported at all. */
export function createRedactionPreview(leftOut: number) {
	const fields = new Map<string, RedactionCounts['fields'][number]>();
	let [events, touched, ids] = [0, 0, 0];
	return {
		add(event: IndexedEvent): void {
			events += 1;
			let isTouched = false;
			for (const [field, value] of Object.entries(redactEvent(event, () => NO_DIGEST))) {
				const text = JSON.stringify(value) ?? '';
				if (value === NO_DIGEST && value !== event[field as keyof IndexedEvent]) ids += 1;
				for (const [, characters] of text.matchAll(MASKED_TEXT)) {
					isTouched = true;
					const key = `${event.type} ${field}`;
					const removed = fields.get(key) ?? { type: event.type, field, count: 0, characters: 0 };
					fields.set(key, removed);
					removed.count += 1;
					removed.characters += Number(characters);
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
