/** The supervisor of one id: whether it is on, and how often it was asked (seed 004). */
export interface SupervisorState {
	session_id: string;
	enabled: boolean;
	/** Rises with each Stop and each question. */
	count: number;
	/** RFC 3339. */
	created_at: string;
	updated_at: string;
	/** What an earlier program wrote beside it is kept. */
	[other: string]: unknown;
}

/** What people and commands may do to it. */
export type SupervisorAction = 'on' | 'off' | 'reset';

/** Reads a state file's value. Total: a missing or foreign one is a supervisor that is off and was never asked. */
export function readSupervisorState(value: unknown, sessionId: string, now: string): SupervisorState {
	const fields = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
	const given = fields as Partial<SupervisorState>;
	const { count } = given;
	return {
		...fields,
		session_id: typeof given.session_id === 'string' ? given.session_id : sessionId,
		enabled: given.enabled === true,
		count: typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0,
		created_at: typeof given.created_at === 'string' ? given.created_at : now,
		updated_at: typeof given.updated_at === 'string' ? given.updated_at : now,
	};
}

/** One review more. */
export function countUp(state: SupervisorState, now: string): SupervisorState {
	return { ...state, count: state.count + 1, updated_at: now };
}

/** The state after a switch or a reset; on and off leave the count as it is. */
export function applySwitch(state: SupervisorState, action: SupervisorAction, now: string): SupervisorState {
	switch (action) {
		case 'on':
		case 'off':
			return { ...state, enabled: action === 'on', updated_at: now };
		case 'reset':
			return { ...state, count: 0, updated_at: now };
	}
}
