import { isAbsolute } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import type { ProjectHealth } from '#lib/contract/health/status.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { inWords } from '#lib/messages/sentence.ts';
import { printable } from '#lib/text/printable.ts';
import type { Check, SetUp } from '../../doctor/check.ts';
import { checkEntries } from '../../doctor/check-entries.ts';
import { commandFinder } from '../../doctor/check-machine.ts';
import { checkPlan, checkPlugin, checkValues } from '../../doctor/check-project.ts';
import { checkSettings } from '../../doctor/check-settings.ts';
import { ourEntries } from '../../doctor/our-entries.ts';
import { clientConfigOf } from '../../process/home.ts';
import { isFolder } from '../../process/is-folder.ts';
import { hookEntries } from '../../setup/hook-entries.ts';
import { hasSupervisor } from '../../setup/plan-init.ts';
import { forProject, holdSecondsFor } from '../../setup/project-settings.ts';
import { registeredProjects } from '../../setup/registered-projects.ts';

const MAX_PROJECTS = 12;
/** The newest folders of sessions: there may be thousands of deleted worktrees. */
const MAX_FOLDERS = 100;
const CACHED_MS = 10_000;
const ROOTS_KEPT_MS = 2000;

/** The doctor's checks that only read files, for projects of the newest sessions and registered ones. */
export function createProjectHealth(options: {
	home: string;
	views: () => SessionView[];
	ports: Pick<Ports, 'projectRootOf'>;
	env: SetUp['env'];
	now: () => number;
}) {
	const { home, views, ports, env, now } = options;
	let kept: { at: number; roots: string[]; projects: ProjectHealth[] } | undefined;
	const configDir = clientConfigOf({ env, cwd: home });

	const findRoots = (): string[] => {
		const newest = views().toSorted((a, b) => ((a.lastAt ?? '') < (b.lastAt ?? '') ? 1 : -1));
		const folders = new Set(newest.flatMap(({ cwd }) => (cwd !== undefined && isAbsolute(cwd) ? [cwd] : [])));
		const found = new Set<string>();
		for (const cwd of [...folders].slice(0, MAX_FOLDERS)) {
			if (found.size === MAX_PROJECTS) break;
			const root = ports.projectRootOf(cwd);
			if (isFolder(root)) found.add(root);
		}
		const rest = registeredProjects(home, { env, cwd: home }).filter((root) => !found.has(root));
		return [...found, ...rest.slice(0, MAX_PROJECTS - found.size)];
	};

	const setUpChecks = (project: string): Check[] => {
		const setUp: SetUp = { project, home, configDir, env };
		const holdSeconds = holdSecondsFor(home, project);
		return [
			...checkSettings(setUp, hookEntries(holdSeconds, hasSupervisor(project))),
			...checkEntries(setUp, ourEntries(setUp), holdSeconds, commandFinder(env.PATH)),
			...checkValues(setUp),
			...checkPlugin(setUp),
		];
	};
	const healthOf = (project: string, checks: readonly Check[]): ProjectHealth => {
		const findings = checks.flatMap(({ state, name, detail, fix }) => {
			if (state === 'ok') return [];
			const clip = (text: string) => printable(forProject(text, project), 800);
			return [{ state, ...inWords({ name, detail, fix }, clip) }];
		});
		return { project: printable(project, 300), checks: checks.length, findings };
	};

	let known: { at: number; roots: string[] } | undefined;
	const roots = () => {
		if (!known || now() - known.at >= ROOTS_KEPT_MS) known = { at: now(), roots: findRoots() };
		return known.roots;
	};
	return {
		roots,
		/** Checks one project now, without its routing plan, whose changes are not changes of the set-up. */
		check: (project: string) => healthOf(project, setUpChecks(project)),
		/** Checks all projects; cached for ten seconds, or until one is added or removed. */
		all(): ProjectHealth[] {
			const found = roots();
			if (kept && now() - kept.at < CACHED_MS && isDeepStrictEqual(kept.roots, found)) return kept.projects;
			const projects = found.map((root) => healthOf(root, [...setUpChecks(root), ...checkPlan({ project: root })]));
			kept = { at: now(), roots: found, projects };
			return projects;
		},
	};
}
