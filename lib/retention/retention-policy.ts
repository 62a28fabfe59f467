import { amount, flag, type Reading } from '../json/reading.ts';
import { ConfigPair } from '../settings/config-pair.ts';
import type { PolicyFound } from '../settings/policy-settings.ts';

/** How long a home keeps its archives; an absent number removes nothing. */
export interface RetentionPolicy {
	/** Days after the last write until an archived session's own files are removed. */
	sessionDays?: number;
	/** Days after which an archive is removed. */
	archiveDays?: number;
	/** Millions of bytes on disk; the oldest archives are removed until the rest fits. */
	archiveMegabytes?: number;
	/** An archive stays if a session in it has a note with a label. */
	keepLabelled: boolean;
}

/** The policy in force in a home or in one of its projects. */
export interface RetentionSettings extends RetentionPolicy {
	/** Whether the server removes automatically. */
	automatic: boolean;
	/** Days that the hub's policy requires at least, above all other settings. */
	leastDays?: number;
	/** Problems in the configs, for a person. If there is one, nothing is removed. */
	problems: string[];
}

/** A project as its archives name it; null for a config that exists and cannot be read. */
export interface RetentionProject {
	/** Absolute. */
	root: string;
	config: string | undefined | null;
}

type Numbers = Partial<Record<(typeof NUMBERS)[number], number>>;

const NUMBERS = ['sessionDays', 'archiveDays', 'archiveMegabytes'] as const;
const number = amount();

/** The person's own settings for single projects, by folder. */
const byProject: Reading<Record<string, Numbers>> = {
	wants: `an object that gives folders of projects their own ${NUMBERS.join(', ')}`,
	read(value) {
		if (!isObject(value) || !Object.values(value).every(isNumbers)) return undefined;
		return value as Record<string, Numbers>;
	},
};

/**
 * The retention of a home (`retention` in `config.json`) or, with `project`, of its archives. Never throws. Agents write in a
 * project, so its config can only keep longer, never shorter; a limit of size is the person's own. A hub's policy keeps longer
 * than all of these. An unreadable config removes nothing: it may have said to keep.
 */
export function readRetention(
	home: string | undefined | null,
	project?: RetentionProject,
	fromHub: PolicyFound = {},
): RetentionSettings {
	const { body = {} } = fromHub.policy ?? {};
	const least = body['retention.archiveDays'];
	const config = new ConfigPair(home ?? undefined, project?.config ?? undefined);
	const automatic = config.home('retention.automatic', flag) === true;
	const named = config.home('retention.projects', byProject);
	const own = project && named && Object.hasOwn(named, project.root) ? named[project.root] : undefined;
	const days = (name: 'sessionDays' | 'archiveDays') => {
		const inFiles = config.both(`retention.${name}`, number);
		const wanted = own?.[name] ?? inFiles.home;
		return wanted === undefined ? {} : { [name]: Math.max(wanted, inFiles.project ?? 0) };
	};
	const size = config.home('retention.archiveMegabytes', number);
	const bound = project ? own?.archiveMegabytes : size;
	const labelled = config.both('retention.keepLabelled', flag);
	const policy = {
		...days('sessionDays'),
		...days('archiveDays'),
		...(bound !== undefined && { archiveMegabytes: bound }),
		...(typeof least === 'number' && { leastDays: least }),
		keepLabelled: body['retention.keepLabelled'] === true || labelled.project === true || labelled.home !== false,
	};
	config.reportMisspelt(['retention']);
	const unread = [home, project?.config].includes(null) ? ['a config.json cannot be read; nothing is removed'] : [];
	const ofHub = fromHub.problem === undefined ? [] : [fromHub.problem];
	const problems = [...unread, ...ofHub, ...config.problems];
	return problems.length > 0 ? { keepLabelled: true, automatic: false, problems } : { ...policy, automatic, problems };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function isNumbers(value: unknown): value is Numbers {
	if (!isObject(value)) return false;
	return Object.entries(value).every(
		([name, given]) => NUMBERS.some((known) => known === name) && number.read(given) !== undefined,
	);
}
