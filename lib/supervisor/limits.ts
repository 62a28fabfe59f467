/** Bounds and defaults of the supervisor's two numbers (seed 004; ccc's own ranges). */
export const SUPERVISOR_LIMITS = {
	maxIterations: { least: 1, most: 100, default: 20 },
	timeoutSeconds: { least: 10, most: 3600, default: 600 },
} as const;

/** How often and how long reviews may run. */
export interface SupervisorLimits {
	maxIterations: number;
	/** Of one review. */
	timeoutSeconds: number;
}

/** Both settings, absent where nobody set them. */
export type SupervisorWish = Partial<SupervisorLimits>;

/** The person's own setting counts first, then ccc's, then the default. */
export function limitsOf(own: SupervisorWish, ccc: SupervisorWish): SupervisorLimits {
	return {
		maxIterations: own.maxIterations ?? ccc.maxIterations ?? SUPERVISOR_LIMITS.maxIterations.default,
		timeoutSeconds: own.timeoutSeconds ?? ccc.timeoutSeconds ?? SUPERVISOR_LIMITS.timeoutSeconds.default,
	};
}

/** A whole number within a setting's bounds, or null. */
export function withinLimits(name: keyof SupervisorLimits, value: unknown): number | null {
	const { least, most } = SUPERVISOR_LIMITS[name];
	return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most ? value : null;
}

/** The supervisor's part of ccc's own `ccc.json`. What does not fit is left out, as ccc does. */
export function readCccWish(text: string): SupervisorWish {
	try {
		const { supervisor } = JSON.parse(text) as { supervisor?: Record<string, unknown> };
		const maxIterations = withinLimits('maxIterations', supervisor?.max_iterations);
		const timeoutSeconds = withinLimits('timeoutSeconds', supervisor?.timeout_seconds);
		return { ...(maxIterations !== null && { maxIterations }), ...(timeoutSeconds !== null && { timeoutSeconds }) };
	} catch {
		return {};
	}
}
