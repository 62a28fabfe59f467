import { createHash, randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnFolder } from '#hooks-bridge/disk/bounded-read.ts';
import type { FeatureProject } from '#lib/contract/archives/features.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import type { SettingsChange, SettingsChangeBody } from '#lib/contract/rules/rejudge.ts';
import { gateTable } from '#lib/gates/gate-table.ts';
import { parsedObject } from '#lib/json/json.ts';
import { rejudgeKeys } from '#lib/rejudge/rejudge-settings.ts';
import { readSettings } from '#lib/settings/settings.ts';
import { writeWhole } from '../../setup/file-change.ts';
import { dropMembers, type Member, memberAt, setMembers } from '../../setup/json-members.ts';
import { SettingsRefused } from '../../setup/merge-settings.ts';
import { readIfThere } from '../../setup/read-text.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { type ProposedSettings, settingsOf } from './rejudge-service.ts';

export interface SettingsServiceOptions {
	home: string;
	journal: Pick<JournalStore, 'append'>;
	projects: () => readonly FeatureProject[];
}

/** Writes settings that a person has tried on history into a config file. */
export function createSettingsService({ home, journal, projects }: SettingsServiceOptions) {
	function settingsFile(project: string | undefined): { file: string; root?: string } {
		if (project === undefined) return { file: join(home, 'config.json') };
		const root = projects().find(({ id }) => id === project)?.root;
		if (root === undefined) throw new AppError('feature/project');
		const folder = join(root, '.overtone');
		const file = join(folder, 'config.json');
		if ((isThere(folder) && !isOwnFolder(root, folder)) || lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
			throw new AppError('request/invalid', 'The .overtone/config.json of that project leads out of it.');
		return { file, root };
	}

	function change(values: ProposedSettings, project: string | undefined): SettingsChange & { root?: string } {
		demandKnown(values);
		if (project !== undefined) demandTightening(values);
		const target = settingsFile(project);
		try {
			const before = readIfThere(target.file);
			const members = membersOf(values, before);
			const set = members.filter(({ value }) => value !== null);
			const gone = members.filter(({ value }) => value === null);
			const after = dropMembers(setMembers(before, target.file, set), target.file, undefined, gone);
			const was = Object.fromEntries(
				Object.keys(values).map((key) => [
					key,
					(before?.trim() ? memberAt(before, target.file, key.split('.')) : null) ?? null,
				]),
			);
			const known = problemsOf(before, project);
			const problem = problemsOf(after, project).find((each) => !known.includes(each));
			if (problem !== undefined) throw new AppError('request/invalid', `${problem}.`);
			return { ...target, before: before ?? '', after, was, expect: digestOf(before) };
		} catch (error) {
			if (error instanceof SettingsRefused) throw new AppError('request/invalid', error.message);
			throw error;
		}
	}

	return {
		/** The new content of the file. Throws `request/invalid`, also if a project would loosen, and `feature/project`. */
		preview: (values: ProposedSettings, project: string | undefined): SettingsChange => change(values, project),

		/** Writes the whole file, after a row in the journal. `file/changed` if it is not the one that was shown. */
		async write({ set, project, expect }: SettingsChangeBody, by: Decider): Promise<SettingsChange> {
			const wished = change(set, project);
			if (wished.expect !== expect)
				throw new AppError('file/changed', 'Somebody has changed the file since. Look at the change again.');
			const { file, before, after, root } = wished;
			const payload = { setting: 'config', file, set, by, ...(root !== undefined && { project: root }) };
			await journal.append({ id: randomUUID(), kind: 'setting:change', subject: `config:${file}`, payload });
			if (digestOf(readIfThere(file)) !== expect)
				throw new AppError('file/changed', 'Somebody has changed the file since. Look at the change again.');
			writeWhole(file, after, before === '' && project === undefined ? 0o600 : undefined);
			return wished;
		},
	};
}

export type SettingsService = ReturnType<typeof createSettingsService>;

const switches: readonly string[] = gateTable.map(({ setting }) => `gates.${setting}.enabled`);

/** The settings that can be tried, and the switch of every gate. Null removes a setting. */
function demandKnown(values: ProposedSettings): void {
	const others = Object.entries(values).filter(([key, value]) => {
		if (value === null) return !switches.includes(key) && !rejudgeKeys.includes(key);
		return !switches.includes(key) || typeof value !== 'boolean';
	});
	settingsOf(Object.fromEntries(others));
}

/** A project's file cannot loosen anything. */
function demandTightening(values: ProposedSettings): void {
	for (const [key, value] of Object.entries(values)) {
		if (key.startsWith('supervisor.'))
			throw new AppError('request/invalid', `${key} counts in the home's file alone; write it there.`);
		if (value === false || value === null)
			throw new AppError(
				'request/invalid',
				`${key}: a project cannot switch a gate off, nor say less than before; write it into the home's file.`,
			);
	}
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Parts of a config file that would be ignored. */
const problemsOf = (text: string | undefined, project: string | undefined) =>
	(project === undefined ? readSettings(text, undefined) : readSettings(undefined, text)).problems;

/** If a setting is written as one key with dots, that key is used. */
function membersOf(values: ProposedSettings, before: string | undefined): Member[] {
	const known = flatKeys(before);
	return Object.entries(values).map(([key, value]) => ({ path: known.has(key) ? [key] : key.split('.'), value }));
}

function flatKeys(text: string | undefined): ReadonlySet<string> {
	return new Set(Object.keys(parsedObject((text ?? '').replace(/^\ufeff/, '')) ?? {}));
}

const digestOf = (text: string | undefined) =>
	text === undefined ? 'none' : createHash('sha256').update(text).digest('hex');
