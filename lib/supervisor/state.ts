export interface SupervisorState {
	session_id: string;
	enabled: boolean;
	count: number;
	created_at: string;
	updated_at: string;
	/** Fields of an earlier program are kept. */
	[other: string]: unknown;
}

export type SupervisorAction = 'on' | 'off' | 'reset';

/** Never throws: a missing or foreign state is off and never asked. */
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

export function applySwitch(state: SupervisorState, action: SupervisorAction, now: string): SupervisorState {
	switch (action) {
		case 'on':
		case 'off':
			return { ...state, enabled: action === 'on', updated_at: now };
		case 'reset':
			return { ...state, count: 0, updated_at: now };
	}
}

export const SUPERVISOR_LIMITS = {
	maxIterations: { least: 1, most: 100, default: 20 },
	timeoutSeconds: { least: 10, most: 3600, default: 600 },
} as const;

export interface SupervisorLimits {
	maxIterations: number;
	timeoutSeconds: number;
}

export type SupervisorSettings = Partial<SupervisorLimits>;

/** The person's setting, then ccc's, then the default. */
export function limitsOf(own: SupervisorSettings, ccc: SupervisorSettings): SupervisorLimits {
	return {
		maxIterations: own.maxIterations ?? ccc.maxIterations ?? SUPERVISOR_LIMITS.maxIterations.default,
		timeoutSeconds: own.timeoutSeconds ?? ccc.timeoutSeconds ?? SUPERVISOR_LIMITS.timeoutSeconds.default,
	};
}

/** Null unless it is a whole number in that setting's range. */
export function withinLimits(name: keyof SupervisorLimits, value: unknown): number | null {
	const { least, most } = SUPERVISOR_LIMITS[name];
	return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** ccc's own `ccc.json`; what does not fit is left out, as ccc does. */
export function readCccSettings(text: string): SupervisorSettings {
	try {
		const { supervisor } = JSON.parse(text) as { supervisor?: Record<string, unknown> };
		const maxIterations = withinLimits('maxIterations', supervisor?.max_iterations);
		const timeoutSeconds = withinLimits('timeoutSeconds', supervisor?.timeout_seconds);
		return { ...(maxIterations !== null && { maxIterations }), ...(timeoutSeconds !== null && { timeoutSeconds }) };
	} catch {
		return {};
	}
}
