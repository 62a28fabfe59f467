import { hash } from 'node:crypto';
import { typeFields } from '#lib/contract/events/event-labels.ts';
import { FEATURE_NAME_RULE } from '#lib/features/feature-name.ts';
import type { Ports, SealedEvent } from '../ports/ports.ts';
import type { StateFolder } from './feature-folders.ts';

/** A specs:* event. Its id is derived from its content, so that a repetition after a crash is recognised. `at` is in ms. */
export function featureEvent(
	type: 'specs:init' | 'specs:pause' | 'specs:resume' | 'specs:archive',
	sessionId: string,
	at: number,
	fields: { featureName: string; featurePath?: string; archivePath?: string; workflowType?: string },
): SealedEvent {
	const ts = new Date(at).toISOString();
	const id = hash('sha256', JSON.stringify([type, sessionId, ts, fields]), 'hex').slice(0, 32);
	return { id, ts, ...typeFields(type), sessionId, ...fields };
}

/** What work on features needs from the machine, beside the project's folder. */
export interface HomePorts {
	/** The state root, absolute. */
	home: string;
	/** Milliseconds since the epoch. */
	now(): number;
	/** Appends whole events to a session's timeline, as `Ports.append` does. */
	append: Ports['append'];
}

/** Why something was not done; then nothing was changed. The codes are in the error table. */
export interface FeatureRefusal {
	ok: false;
	code: 'feature/name' | 'feature/not-found' | 'feature/exists' | 'feature/state' | 'feature/outside' | 'feature/busy';
	/** For a person: what is wrong and what to do. */
	detail: string;
}

export function refuse(code: FeatureRefusal['code'], detail: string): FeatureRefusal {
	return { ok: false, code, detail };
}

export function refuseName(): FeatureRefusal {
	return refuse('feature/name', `A feature is named by ${FEATURE_NAME_RULE}.`);
}

export function refuseFolder(state: StateFolder): FeatureRefusal {
	return refuse('feature/outside', `specs/features/${state} is no folder inside the project.`);
}

export type FeatureChange<T> = ({ ok: true } & T) | FeatureRefusal;
