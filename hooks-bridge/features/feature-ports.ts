import type { Ports } from '../ports/ports.ts';

/** What work on features needs from the machine, beside the project's folder. */
export interface FeaturePorts {
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

/** The outcome of a piece of work on a feature. */
export type FeatureOutcome<T> = ({ ok: true } & T) | FeatureRefusal;
