import { gateSettings, gateTable } from '../gates/gate-table.ts';
import { isRehearsed } from './recorded-hook.ts';

/** The settings to judge with; all others stay as they were that day. */
export interface RejudgeSettings {
	/** Gates switched on or off, by their name in `gates.<name>`. */
	enabled: ReadonlyMap<string, boolean>;
	/** Settings of gates, by path. */
	values?: Readonly<Record<string, unknown>>;
	/** What is removed from the list of each day, by path; `values` are added. */
	removed?: Readonly<Record<string, readonly unknown[]>>;
	/** The most reviews of a supervisor. */
	maxIterations?: number;
}

/** The settings that can be tried: every key that `withRejudgeSetting` accepts. */
export const rejudgeKeys: readonly string[] = [
	...gateSettings.flatMap(({ path, rehearsal }) => (rehearsal ? [path] : [])).sort(),
	'supervisor.maxIterations',
	...gateTable.filter(isRehearsed).map(({ setting }) => `gates.${setting}.enabled`),
];

/** Adds one setting; returns what is wrong with it as text, if anything. */
export function withRejudgeSetting(
	settings: RejudgeSettings,
	key: string,
	value: unknown,
): RejudgeSettings | { wrong: string } {
	if (!rejudgeKeys.includes(key)) return { wrong: `history can be asked about ${rejudgeKeys.join(', ')}` };
	if (key === 'supervisor.maxIterations') {
		const isCount = Number.isInteger(value) && Number(value) >= 1;
		return isCount ? { ...settings, maxIterations: Number(value) } : { wrong: 'it is a whole number from 1' };
	}
	const own = gateSettings.find(({ path }) => path === key);
	if (own) {
		const problems: string[] = [];
		const read = own.read(value ?? null, problems);
		if (read === undefined && typeof own.unset === 'string') return { wrong: `it is ${own.wants}` };
		if (problems[0] !== undefined) return { wrong: problems[0] };
		return { ...settings, values: { ...settings.values, [key]: read } };
	}
	if (typeof value !== 'boolean') return { wrong: 'it is true or false' };
	const setting = key.slice('gates.'.length, -'.enabled'.length);
	return { ...settings, enabled: new Map([...settings.enabled, [setting, value]]) };
}

/** Lists that `base` has too are tried as a change: what was added or removed, on the list of each day. */
export function asChangeOf(settings: RejudgeSettings, base: RejudgeSettings): RejudgeSettings {
	const values = { ...settings.values };
	const removed: Record<string, readonly unknown[]> = {};
	for (const [path, was] of Object.entries(base.values ?? {})) {
		const now = values[path];
		if (!Array.isArray(was) || !Array.isArray(now)) continue;
		values[path] = now.filter((name) => !was.includes(name));
		removed[path] = was.filter((name) => !now.includes(name));
	}
	return { ...settings, values, removed };
}
