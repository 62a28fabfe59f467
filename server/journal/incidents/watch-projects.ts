import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import type { ProjectHealth } from '#lib/contract/health/status.ts';
import { listed, sentence, wordsOf } from '#lib/messages/sentence.ts';
import { loosenedBy, readSettings, type Settings } from '#lib/settings/settings.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { isFolder } from '../../process/is-folder.ts';
import { pluginHooks } from '../../setup/install-plugin.ts';
import { otherSettingsFiles } from '../../setup/other-registrations.ts';
import { projectFiles, settingsAt } from '../../setup/project-settings.ts';
import type { IncidentLog } from './incident-log.ts';

/** The parts of the projects' health that are watched. */
export interface WatchedHealth {
	/** Folders of recent or registered projects. */
	roots(): string[];
	/** The doctor's current findings of one project. */
	check(project: string): ProjectHealth;
}

interface Known {
	stamp: string;
	own: string;
	/** The doctor's findings, by name and detail, with their advice. */
	findings: Map<string, ProjectHealth['findings'][number]>;
	settings: Settings;
}

/** A file that changes at each of so many checks is read anyway. */
const MAX_CHECKS = 3;
/** How many projects stay watched, however many newer ones there are. */
const MAX_KNOWN = 200;

/** Whether a stamp is stable: a file being written, or a folder being deleted, is incomplete for a moment. */
function createStability(): (key: string, stamp: string) => boolean {
	const last = new Map<string, { stamp: string; checks: number }>();
	return (key, stamp) => {
		const before = last.get(key);
		const isStable = before !== undefined && (before.stamp === stamp || before.checks >= MAX_CHECKS);
		if (isStable) last.delete(key);
		else last.set(key, { stamp, checks: (before?.checks ?? 0) + 1 });
		return isStable;
	};
}

/**
 * Each call checks whether the files that register hooks and deny calls are as first seen. Only changed files are read. Problems
 * from before the start are on the health page alone.
 */
export function createProjectCheck(options: {
	home: string;
	configDir: string;
	health: WatchedHealth;
	incidents: IncidentLog;
}): { check: () => void; judgedBy: (root: string, text: string) => void } {
	const { home, configDir, health, incidents } = options;
	const known = new Map<string, Known>();
	const own = join(home, 'config.json');
	const isStable = createStability();
	let mine: { stamp: string; settings: Settings } | undefined;

	const stampOfProject = (project: string) => {
		const { settings, local, config } = projectFiles(project);
		const files = [settings, local, config, own, pluginHooks(home), ...otherSettingsFiles(project, configDir)];
		return files.map(fileStamp).join('\n');
	};
	const read = (project: string, stamp: string): Known => {
		const unwell = health.check(project).findings.filter(({ state }) => state !== 'note');
		const findings = new Map(unwell.map((finding) => [`${finding.name}: ${finding.detail}`, finding]));
		return { stamp, own: fileStamp(own), findings, settings: settingsAt(home, project) };
	};
	const reportLoosened = (path: string, before: Settings, now: Settings) => {
		const less = loosenedBy(before, now);
		if (less.length === 0) return;
		incidents.raise({
			code: 'config/loosened',
			about: path,
			message: sentence('{path} was changed: {less}', { path, less: listed(less, '{first}; {more}') }),
			fix: sentence('put it back, if you did not change it yourself'),
		});
	};

	const checkProject = (project: string) => {
		const stamp = stampOfProject(project);
		const before = known.get(project);
		if (before?.stamp === stamp || !isFolder(project) || (before && !isStable(project, stamp))) return;
		const now = read(project, stamp);
		known.set(project, now);
		if (!before) return;
		for (const [words, finding] of now.findings) {
			if (before.findings.has(words)) continue;
			const about = `${project} · ${words}`;
			incidents.raise({
				code: 'settings/changed',
				about,
				message: sentence('{path}: {check}: {why}', {
					path: project,
					check: wordsOf(finding, 'name'),
					why: wordsOf(finding, 'detail'),
				}),
				...(finding.fix && { fix: wordsOf(finding, 'fix') }),
				isOpen: true,
			});
		}
		for (const words of before.findings.keys()) {
			if (!now.findings.has(words)) incidents.clear('settings/changed', `${project} · ${words}`);
		}
		// A loss in the person's own file is reported once, for that file.
		if (before.own === now.own) reportLoosened(projectFiles(project).config, before.settings, now.settings);
	};
	const checkOwn = () => {
		const stamp = fileStamp(own);
		if (mine?.stamp === stamp || (mine && !isStable(own, stamp))) return;
		const settings = settingsAt(home);
		if (mine) reportLoosened(own, mine.settings, settings);
		mine = { stamp, settings };
	};
	/** An unreadable project is reported, and does not affect others. */
	const checkSafely = (project: string) => {
		const about = `${project} · look`;
		try {
			checkProject(project);
			incidents.clear('settings/changed', about);
		} catch (error) {
			const reason = String(error);
			const message = sentence('{path}: its settings cannot be looked at ({reason})', {
				path: project,
				reason,
			});
			incidents.raise({ code: 'settings/changed', about, message, isOpen: true });
		}
	};
	const forget = (project: string, { findings }: Known) => {
		for (const words of findings.keys()) incidents.clear('settings/changed', `${project} · ${words}`);
		known.delete(project);
	};
	return {
		check() {
			checkOwn();
			const roots = health.roots();
			// Newer projects must not hide changes of an older one.
			for (const project of new Set([...roots, ...known.keys()])) checkSafely(project);
			for (const [project, state] of known)
				if (!roots.includes(project) && (!isFolder(project) || known.size > MAX_KNOWN)) forget(project, state);
		},
		/** A hook was judged by this text, even if the file had it only briefly or incompletely. */
		judgedBy(root, text) {
			if (root === '') {
				if (mine) reportLoosened(own, mine.settings, readSettings(text || undefined, undefined));
				return;
			}
			const before = known.get(root);
			if (!before || before.own !== fileStamp(own)) return;
			const read = readBounded(own);
			reportLoosened(
				projectFiles(root).config,
				before.settings,
				readSettings(read.ok ? read.text : undefined, text || undefined),
			);
		},
	};
}
