import { either } from '../json/reading.ts';
import type { Sentence } from '../messages/sentence.ts';
import { printable } from '../text/printable.ts';

type SettingValue = string | readonly string[];

/**
 * A setting that a gate declares in its row: config files, policies of a hub, rehearsal and documents read it here. Its path
 * begins with `gates.` or with a section of `lib/settings/settings.ts`.
 */
export interface GateSetting<V extends SettingValue = SettingValue> {
	path: string;
	/** One sentence for the reference of the settings. */
	means: string;
	wants: string;
	/** Its value if no file sets it. */
	unset: V;
	/** Values that do not fit are left out, and named in `problems`. */
	read(value: unknown, problems: string[]): V | undefined;
	/** The value of the home's file and of the project's, each if set. */
	join(home: V | undefined, project: V | undefined): V;
	/** The value under a hub's policy, which only tightens. */
	tighten(value: V, policy: V): V;
	/** Compares two policies; undefined means that the policy leaves the setting alone. */
	isLooser(value: V | undefined, than: V | undefined): boolean;
	/** What an owner reads of a change that loosens it; null for any other change. */
	loosened(before: V, now: V): Sentence | null;
	/** Whether a policy that sets it switches the gate on. */
	switchesOn?(policy: V): boolean;
	/** Whether history can be judged with another value: the gate's fact that holds it. Without it, history cannot be asked. */
	rehearsal?: { fact: string } | 'changes-no-verdict';
}

export interface SettingValues {
	/** Values by path; a gate reads its own with `settingValue`. */
	values?: Readonly<Record<string, unknown>>;
}

export function settingValue<V extends SettingValue>({ path, unset }: GateSetting<V>, { values }: SettingValues): V {
	return (values?.[path] as V | undefined) ?? unset;
}

interface ChoiceRow<V extends string> extends Pick<GateSetting<V>, 'path' | 'means' | 'rehearsal'> {
	/** The other choice is the default. */
	loose: V;
	strict: V;
	isStrictUnset?: boolean;
	/** A project may choose the looser one, too. */
	isProjectFree?: boolean;
	loosened?: Sentence;
}

/** One of two words, of which one holds back more. */
export function choiceSetting<V extends string>(row: ChoiceRow<V>): GateSetting<V> {
	const { path, means, rehearsal, loose, strict, isStrictUnset, isProjectFree, loosened } = row;
	const { wants, read } = isStrictUnset ? either(strict, loose) : either(loose, strict);
	const unset = isStrictUnset ? strict : loose;
	const rank = (value: V | undefined) => (value === undefined ? 0 : value === strict ? 1 : -1);
	return {
		path,
		means,
		wants,
		unset,
		...(rehearsal && { rehearsal }),
		read(value, problems) {
			const found = value === undefined ? undefined : read(value);
			if (value !== undefined && found === undefined) problems.push(`${path} must be ${wants}; it is ignored`);
			return found;
		},
		join(home = unset, project) {
			if (isProjectFree) return project ?? home;
			return project === strict ? strict : home;
		},
		tighten: (value, policy) => (policy === strict ? strict : value),
		isLooser: (value, than) => rank(value) < rank(than),
		loosened: (before, now) => (loosened && before === strict && now !== strict ? loosened : null),
	};
}

const MAX_NAMES = 200;
const MAX_CHARS = 100;

interface NamesRow extends Pick<GateSetting<readonly string[]>, 'path' | 'means' | 'rehearsal'> {
	/** Such as `the name of a branch`. */
	one: string;
	/** Such as `names of branches`. */
	many: string;
	loosened: (names: string) => Sentence;
}

/** A list of names, of which each holds back more: home, project and policy add theirs. */
export function namesSetting(row: NamesRow): GateSetting<readonly string[]> {
	const { path, means, rehearsal, one, many, loosened } = row;
	const union = (...lists: (readonly string[] | undefined)[]) => [...new Set(lists.flatMap((names) => names ?? []))];
	const missing = (of: readonly string[] = [], from: readonly string[] = []) =>
		of.filter((name) => !from.includes(name));
	return {
		path,
		means,
		wants: `a list of ${many}`,
		unset: [],
		...(rehearsal && { rehearsal }),
		read(value, problems) {
			if (value === undefined) return undefined;
			if (Array.isArray(value) && value.length <= MAX_NAMES) {
				return value.flatMap((name: unknown) => readName(name, `${path}: {name} is not ${one}`, problems));
			}
			problems.push(`${path} must be a list of at most ${MAX_NAMES} ${many}; it is ignored`);
			return undefined;
		},
		join: union,
		tighten: union,
		isLooser: (value, than) => missing(than, value).length > 0,
		loosened(before, now) {
			const gone = missing(before, now);
			return gone.length > 0 ? loosened(gone.join(', ')) : null;
		},
		switchesOn: (policy) => policy.length > 0,
	};
}

function readName(name: unknown, problem: string, problems: string[]): string[] {
	if (typeof name === 'string' && /^[^\s\p{Cc}]+$/u.test(name) && name.length <= MAX_CHARS) return [name];
	const shown = printable(typeof name === 'string' ? name : (JSON.stringify(name) ?? ''), 60);
	problems.push(problem.replace('{name}', () => `"${shown}"`));
	return [];
}
