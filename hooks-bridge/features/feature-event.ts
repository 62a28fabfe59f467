import { hash } from 'node:crypto';
import { categoryOf, labelOf } from '#lib/contract/events/event-labels.ts';
import type { SealedEvent } from '../ports/ports.ts';

/**
 * A specs:* event of a session. Its id is derived from its content, so that a repetition after a crash is recognised. `at` in
 * milliseconds.
 */
export function featureEvent(
	type: 'specs:init' | 'specs:pause' | 'specs:resume' | 'specs:archive',
	sessionId: string,
	at: number,
	fields: { featureName: string; featurePath?: string; archivePath?: string; workflowType?: string },
): SealedEvent {
	const ts = new Date(at).toISOString();
	return {
		id: hash('sha256', JSON.stringify([type, sessionId, ts, fields]), 'hex').slice(0, 32),
		ts,
		type,
		category: categoryOf(type),
		label: labelOf(type).en,
		sessionId,
		...fields,
	};
}
