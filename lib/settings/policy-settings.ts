import { DEFAULT_HOLD_SECONDS } from '../approvals/hold-time.ts';
import { type GateSetting, gateTable } from '../gates/gate-table.ts';
import { amount, either, flag, type Reading } from './config-pair.ts';
import { excludedCommands } from './excluded-commands.ts';
import { gatesNamed } from './gates-named.ts';

/** What a policy says, by the whole paths of the settings: `gates.routing.enabled`. */
export type PolicyBody = Readonly<Record<string, PolicyValue>>;
export type PolicyValue = boolean | number | string | readonly string[];

/** A setting that a policy may make. */
interface PolicySetting {
	wants: string;
	read: (value: unknown) => PolicyValue | undefined;
	/** Whether the one holds back less than the other; undefined says nothing. */
	isLooser: (value: PolicyValue | undefined, than: PolicyValue | undefined) => boolean;
}

/** A setting whose values stand in one order: the higher, the more is held back; one that is not made is 0. */
function ranked<T extends PolicyValue>({ wants, read }: Reading<T>, rank: (value: T) => number): PolicySetting {
	const of = (value: PolicyValue | undefined) => {
		const known = read(value);
		return known === undefined ? 0 : rank(known);
	};
	return { wants, read, isLooser: (value, than) => of(value) < of(than) };
}

/** Of two values one holds back more than nothing, the other less. */
const strictWhen = <T extends boolean | string>(strict: T, reading: Reading<T>): PolicySetting =>
	ranked(reading, (value) => (value === strict ? 1 : -1));

/** A longer wait than the usual one may let more through. Shorter ones, the usual one too, bound what a person sets. */
const holdSeconds = ranked(amount(), (seconds) =>
	seconds > DEFAULT_HOLD_SECONDS ? DEFAULT_HOLD_SECONDS - seconds : 1 + DEFAULT_HOLD_SECONDS - seconds,
);

/** A list of which each name more holds back more. */
function listed(wants: string, readAll: (value: unknown, problems: string[]) => readonly string[]): PolicySetting {
	const namesOf = (value: unknown) => readAll(value, []);
	return {
		wants,
		read(value) {
			const problems: string[] = [];
			const names = readAll(value, problems);
			return problems.length === 0 && value !== undefined ? names : undefined;
		},
		isLooser: (value, than) => namesOf(than).some((name) => !namesOf(value).includes(name)),
	};
}

/** A policy lets nobody allow anything for a whole project: its machine's owner does, or nobody. */
const mayGrant = ranked(either<'never' | 'session'>('never', 'session'), (reach) => (reach === 'never' ? 2 : 1));

/** Days for which archives are kept at least: more of them remove less. */
const leastDays = ranked(amount(), (days) => days);

/** Every setting that a policy of a hub may make: those of a project, and what a fleet has beside them. */
export const policySettings: ReadonlyMap<string, PolicySetting> = new Map([
	...gateTable.flatMap(({ setting, mayHold }): [string, PolicySetting][] => [
		[`gates.${setting satisfies GateSetting}.enabled`, strictWhen(true, flag)],
		...(mayHold === false ? [] : ([[`gates.${setting}.hold`, strictWhen(false, flag)]] as [string, PolicySetting][])),
	]),
	['gates.routing.onMismatch', strictWhen('stop', either<'stop' | 'deny'>('stop', 'deny'))],
	['gates.permissionRequest.hold', strictWhen(false, flag)],
	['commands.exclude', listed('a list of names of commands', excludedCommands)],
	['commands.unknown', strictWhen('ask', either<'pass' | 'ask'>('pass', 'ask'))],
	['commands.enforce', strictWhen('sandbox', either<'judge' | 'sandbox'>('judge', 'sandbox'))],
	['commands.withoutSandbox', strictWhen('refuse', either<'run' | 'refuse'>('run', 'refuse'))],
	['approvals.observe', strictWhen(true, flag)],
	['approvals.holdSeconds', holdSeconds],
	['hub.mayDecide', strictWhen(false, flag)],
	['hub.mayGrant', mayGrant],
	['hub.neverRemote', listed('a list of names of gates', gatesNamed)],
	['retention.archiveDays', leastDays],
	['retention.keepLabelled', strictWhen(true, flag)],
]);

/** The settings in which a policy holds back less than another does; without one, than where there is no policy. */
export function looserIn(body: PolicyBody, than: PolicyBody = {}): string[] {
	return [...policySettings].filter(([path, { isLooser }]) => isLooser(body[path], than[path])).map(([path]) => path);
}

/** Whether a policy holds back all that another does: what a hub may change by itself. */
export const tightens = (body: PolicyBody, base: PolicyBody = {}): boolean => looserIn(body, base).length === 0;

/** A policy's body as somebody wrote it, nested as in `config.json` or by whole paths; `problem` names what does not fit. */
export function readPolicyBody(value: unknown): { body: PolicyBody } | { problem: string } {
	const body: Record<string, PolicyValue> = {};
	const problem = isObject(value) ? readInto(body, '', value) : 'it must be a JSON object, as config.json is';
	return problem === undefined ? { body } : { problem };
}

/** Gives what is wrong. */
function readInto(body: Record<string, PolicyValue>, before: string, values: object): string | undefined {
	for (const [key, value] of Object.entries(values)) {
		const path = `${before}${key}`;
		const setting = policySettings.get(path);
		if (!setting && isObject(value)) {
			const problem = readInto(body, `${path}.`, value);
			if (problem !== undefined) return problem;
			continue;
		}
		if (!setting) return `${path.slice(0, 100)} is no setting of a policy`;
		const read = setting.read(value);
		if (read === undefined) return `${path} must be ${setting.wants}`;
		if (Object.hasOwn(body, path)) return `${path} is there twice`;
		body[path] = read;
	}
	return undefined;
}

const isObject = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
