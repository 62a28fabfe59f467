import { EdgeLabels } from '#lib/contract/hub/edges.ts';
import { TeamName } from '#lib/contract/ids.ts';
import { MAX_DAYS, MIN_DAYS, type TeamDays } from '../../hub/jobs/jobs-state.ts';
import { type OptionValues, portOption, UsageError } from '../../process/command.ts';

const MAX_MINUTES = 1440;
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };

/** What follows `hub`: the second word, the third, and the options. */
export interface HubArgs {
	action: string | undefined;
	word: string | undefined;
	values: OptionValues;
}

export const textOf = (value: OptionValues[string]) => (typeof value === 'string' ? value : undefined);

export const portOf = ({ port }: OptionValues) => (typeof port === 'string' ? portOption(port) : undefined);

export function urlOf({ url }: OptionValues): string {
	if (typeof url === 'string') return url;
	throw new UsageError('Give the address of the hub: --url https://hub.example');
}

export const teamOf = ({ team }: OptionValues): string => nameOf('team', team ?? 'team', TeamName);

export function nameOf(option: 'name' | 'team', given: OptionValues[string], contract: typeof TeamName): string {
	const read = contract.safeParse(given);
	if (read.success) return read.data;
	throw new UsageError(
		`--${option} cannot be ${JSON.stringify(given).slice(0, 100)}: ${read.error.issues[0]?.message}.`,
	);
}

export function numberOf(values: OptionValues, name: 'uses' | 'minutes' | 'days', usual: number, most: number): number {
	const given = values[name];
	const number = given === undefined ? usual : Number(given);
	if (Number.isInteger(number) && number >= 1 && number <= most) return number;
	throw new UsageError(`--${name} must be a whole number from 1 to ${most}, but it is "${String(given)}".`);
}

/** For how many minutes. */
export function spanOf(values: OptionValues): number {
	const { for: given, minutes } = values;
	if (given === undefined) return numberOf(values, 'minutes', 60, MAX_MINUTES);
	if (minutes !== undefined) throw new UsageError('Give --for or --minutes, not both.');
	const [, count = '', unit = ''] = /^(\d{1,4})([mhd])$/.exec(String(given)) ?? [];
	const span = Number(count) * (UNITS[unit] ?? 0);
	if (span >= 1 && span <= MAX_MINUTES) return span;
	throw new UsageError(`--for must be a time up to a day, such as 30m, 24h or 1d, but it is ${JSON.stringify(given)}.`);
}

export function labelsOf({ labels }: OptionValues): string[] {
	if (labels === undefined) return [];
	const read = EdgeLabels.safeParse(String(labels).split(','));
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	const at = issue?.path[0];
	const which = typeof at === 'number' ? JSON.stringify(String(labels).split(',')[at]).slice(0, 100) : 'that';
	throw new UsageError(`--labels cannot hold ${which}: ${at === undefined ? 'eight at most' : issue?.message}.`);
}

export function teamDaysOf({ team, days, drop }: OptionValues): TeamDays | undefined {
	if (team === undefined && days === undefined && drop === undefined) return;
	if (team === undefined) throw new UsageError('Give a team: --team NAME');
	const number = Number(days);
	if (Number.isInteger(number) && number >= MIN_DAYS && number <= MAX_DAYS)
		return { team: teamOf({ team }), days: number, drop: drop === true };
	throw new UsageError(`--days must be a whole number from ${MIN_DAYS} to ${MAX_DAYS}, such as 3, 14 or 90.`);
}

export function edgeOf(word: string | undefined): number {
	if (word !== undefined && /^[1-9]\d{0,8}$/.test(word)) return Number(word);
	throw new UsageError('Give the number of a machine; `signalbox hub edges` lists them.');
}
