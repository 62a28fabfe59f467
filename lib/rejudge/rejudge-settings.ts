import { gateTable } from '../gates/gate-table.ts';
import { excludedCommands } from '../settings/named-lists.ts';
import { isRehearsed } from './recorded-hook.ts';

/** The settings to judge with, by their whole path; all others stay as they were that day. */
export interface RejudgeSettings {
	/** Replaces the recorded patterns. */
	exclude?: readonly string[];
	/** Gates switched on or off, by their name in `gates.<name>`. */
	enabled: ReadonlyMap<string, boolean>;
	/** The most reviews of a supervisor. */
	maxIterations?: number;
}

/** The settings that can be tried: every key that `readRejudgeSetting` accepts. */
export const rejudgeKeys: readonly string[] = [
	'commands.exclude',
	'gates.routing.onMismatch',
	'supervisor.maxIterations',
	...gateTable.filter(isRehearsed).map(({ setting }) => `gates.${setting}.enabled`),
];

/** Adds one setting; returns what is wrong with it as text, if anything. */
export function withRejudgeSetting(
	settings: RejudgeSettings,
	key: string,
	value: unknown,
): RejudgeSettings | { wrong: string } {
	switch (key) {
		case 'commands.exclude': {
			const problems: string[] = [];
			const exclude = excludedCommands(value ?? null, problems);
			return problems[0] === undefined ? { ...settings, exclude } : { wrong: problems[0] };
		}
		case 'supervisor.maxIterations':
			if (!Number.isInteger(value) || Number(value) < 1) return { wrong: 'it is a whole number from 1' };
			return { ...settings, maxIterations: Number(value) };
		case 'gates.routing.onMismatch':
			// Output form of a denial. Does not affect whether a call is denied.
			return value === 'stop' || value === 'deny' ? settings : { wrong: 'it is "stop" or "deny"' };
		default: {
			if (!rejudgeKeys.includes(key)) return { wrong: `history can be asked about ${rejudgeKeys.join(', ')}` };
			if (typeof value !== 'boolean') return { wrong: 'it is true or false' };
			const setting = key.slice('gates.'.length, -'.enabled'.length);
			return { ...settings, enabled: new Map([...settings.enabled, [setting, value]]) };
		}
	}
}
