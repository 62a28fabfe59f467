import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { findPlan, PLAN_PATH } from '#hooks-bridge/engine/facts.ts';
import { unjudgedReason } from '#lib/gates/command-policy/command-policy-gate.ts';
import { listed, sentence } from '#lib/messages/sentence.ts';
import { isActivePlan, openTasks } from '#lib/routing/routing-state.ts';
import { printable } from '#lib/text/printable.ts';
import { isPluginIn, pluginDrift, pluginFolder } from '../setup/install-plugin.ts';
import { holdSecondsFor, projectFiles, settingsAt } from '../setup/project-settings.ts';
import { readText } from '../setup/read-text.ts';
import type { Check, SetUp } from './check.ts';

/** Whether the routing plan can be read: by an unreadable plan no sub-agent is judged. No finding without a plan. */
export function checkPlan({ project }: Pick<SetUp, 'project'>): Check[] {
	const { read } = findPlan(project, { readProjectFile: (root, relative) => readBounded(join(root, relative), root) });
	if (!read) return [];
	const name = sentence('routing plan');
	if (!read.ok) {
		return [
			{
				state: 'warn',
				name,
				detail: sentence('cannot be read, so sub-agents are not judged by it: {reason}', { reason: read.reason }),
				fix: sentence('correct or remove {path}', { path: join(project, PLAN_PATH) }),
			},
		];
	}
	const { plan } = read;
	if (!isActivePlan(plan)) return [{ state: 'ok', name, detail: printable(plan.status, 64) || 'without status' }];
	const open = openTasks(plan).length;
	return [{ state: 'ok', name, detail: `${open} open task${open === 1 ? '' : 's'}` }];
}

/** Settings that are no values, of the home and the project; no finding without one. While `commands.exclude` is unclear, commands are denied. */
export function checkValues({ home, project }: Pick<SetUp, 'home' | 'project'>): Check[] {
	const { problems, commands } = settingsAt(home, project);
	return problems.map((problem) => ({
		state: problem === commands.unread ? 'wrong' : 'warn',
		name: sentence('settings'),
		detail: problem === commands.unread ? unjudgedReason(problem) : problem,
		fix: sentence('correct {path} or config.json of the home', { path: '.overtone/config.json' }),
	}));
}

/** Whether the plugin's folder is as this version writes it; no finding if the project does not use it. */
export function checkPlugin({ home, project }: SetUp): Check[] {
	const { local } = projectFiles(project);
	if (!usesPlugin(local)) return [];
	const { stale, missing } = pluginDrift(home, holdSecondsFor(home));
	const name = sentence('plugin');
	const folder = pluginFolder(home);
	if (stale.length + missing.length === 0) return [{ state: 'ok', name, detail: `current, in ${folder}` }];
	const count = listed([
		...(missing.length > 0 ? [sentence('{count} missing or different', { count: missing.length })] : []),
		...(stale.length > 0 ? [sentence('{count} unexpected', { count: stale.length })] : []),
	]);
	const detail = sentence('{path} is of another version or was edited: {end}', { path: folder, end: count });
	const fix = sentence('run {command}, then restart the sessions', { command: '`signalbox init --plugin`' });
	return [{ state: 'wrong', name, detail, fix }];
}

/** The check of the settings files reports an unreadable file. */
function usesPlugin(local: string): boolean {
	const read = readText(local);
	return tryTo(() => read.ok && read.text !== undefined && isPluginIn(read.text, local)) ?? false;
}
