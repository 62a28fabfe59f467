import type { RedactionCounts } from '../contract/archives/features.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { redactEvent } from '../features/redact.ts';

const MARK = /\[redacted: (\d+) characters, 0\]/g;
const NONE = () => '0';

/** Counts what the redaction of an export would take out, by redacting each event. */
export function createRedactionPreview(leftOut: number) {
	const fields = new Map<string, RedactionCounts['fields'][number]>();
	let [events, touched, ids] = [0, 0, 0];
	return {
		add(event: IndexedEvent): void {
			events += 1;
			let isTouched = false;
			for (const [field, value] of Object.entries(redactEvent(event, NONE))) {
				const told = JSON.stringify(value) ?? '';
				if (told === '"0"' && told !== JSON.stringify(event[field as keyof IndexedEvent])) ids += 1;
				for (const [, characters] of told.matchAll(MARK)) {
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
			...{ events, touched, ids, leftOut },
			fields: [...fields.values()].sort((one, other) => other.characters - one.characters),
		}),
	};
}
