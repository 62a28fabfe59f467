/** The settings that hooks and the server read from `config.json` (DESIGN 7). */
export interface Settings {
	routing: {
		enabled: boolean;
		/** Whether a person may be asked before a denial is given. */
		hold: boolean;
		/** `stop` ends the agent's turn (seed 000 to the letter), `deny` lets the model read the reason. */
		onMismatch: 'stop' | 'deny';
	};
	/** How long a denial may wait for a person, in seconds; absent means the default. */
	holdSeconds?: number;
	/** What was ignored and why, for a person. */
	problems: string[];
}

type Json = Record<string, unknown>;
const record = (value: unknown): Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** `a.b.c` from nested objects, or from a flat key of that name. */
function pick(config: Json, path: string): unknown {
	if (Object.hasOwn(config, path)) return config[path];
	return path.split('.').reduce<unknown>((at, key) => {
		const here = record(at);
		return Object.hasOwn(here, key) ? here[key] : undefined;
	}, config);
}

function parse(text: string | undefined, name: string, problems: string[]): Json {
	if (text === undefined || text.trim() === '') return {};
	try {
		const value: unknown = JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
		problems.push(`${name} is not a JSON object; it is ignored`);
	} catch {
		problems.push(`${name} is not valid JSON; it is ignored`);
	}
	return {};
}

/**
 * Merges the person's config with the project's. Total: what is wrong is ignored and named. A project may
 * only tighten: it can switch a gate on, shorten or forbid waiting, and choose `onMismatch` either way.
 */
export function readSettings(home: string | undefined, project: string | undefined): Settings {
	const problems: string[] = [];
	const own = parse(home, '~/.overtone/config.json', problems);
	const shared = parse(project, '.overtone/config.json', problems);
	const flag = (config: Json, path: string): boolean | undefined => {
		const value = pick(config, path);
		if (value === undefined || typeof value === 'boolean') return value;
		problems.push(`${path} must be true or false; it is ignored`);
		return undefined;
	};
	const form = (config: Json): 'stop' | 'deny' | undefined => {
		const value = pick(config, 'gates.routing.onMismatch');
		if (value === undefined || value === 'stop' || value === 'deny') return value;
		problems.push('gates.routing.onMismatch must be "stop" or "deny"; it is ignored');
		return undefined;
	};
	const seconds = (config: Json): number => {
		const value = pick(config, 'approvals.holdSeconds');
		if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
		if (value !== undefined) problems.push('approvals.holdSeconds must be a number from 0 up; it is ignored');
		return Number.POSITIVE_INFINITY;
	};
	const enabled = flag(own, 'gates.routing.enabled') ?? true;
	const hold = flag(own, 'gates.routing.hold') ?? true;
	const holdSeconds = Math.min(seconds(own), seconds(shared));
	return {
		routing: {
			enabled: flag(shared, 'gates.routing.enabled') === true || enabled,
			hold: hold && flag(shared, 'gates.routing.hold') !== false,
			onMismatch: form(shared) ?? form(own) ?? 'stop',
		},
		...(Number.isFinite(holdSeconds) && { holdSeconds }),
		problems,
	};
}
