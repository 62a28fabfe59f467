import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import type { FeatureChange } from '#hooks-bridge/features/feature-change.ts';
import { sessionsOfFeature } from '#hooks-bridge/features/feature-sessions.ts';
import { type Moved, pauseFeature, recordMoved, resumeFeature } from '#hooks-bridge/features/move-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { type FoundFeature, readFeatures } from '#hooks-bridge/features/read-features.ts';
import type { WorkflowType } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { FEATURE_NAME_RULE, isFeatureName } from '#lib/features/feature-name.ts';
import { printable } from '#lib/text/printable.ts';
import { isWorkflowType, workflows } from '#lib/workflow/registry.ts';
import { defineCommand, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { isDoorOpen, writableHomeOf } from '../process/home.ts';
import { sessionOf } from '../timeline/find-session.ts';
import { type FeatureSetting, withArchives, withFeatures } from './feature-ports.ts';

export const feature = defineCommand({
	usage: 'feature new|pause|resume|archive NAME | feature list',
	about: [
		'Manages the features of a project: folders of specs/features (in-progress, paused, backlog and archive). Nothing is',
		'ever overwritten.',
		'  new            create a feature with its tasks.md',
		'  pause, resume  move it to paused, or back to in-progress',
		'  archive        move it to archive/ with its date, and copy the timelines of its sessions into the home',
		'  list           list all features',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'project folder (default: the one around the current folder)' },
		session: {
			type: 'string',
			value: 'ID',
			about: 'session (default: CLAUDE_CODE_SESSION_ID; for `new` also the newest live one)',
		},
		workflow: {
			type: 'string',
			value: 'KEY',
			oneOf: Object.keys(workflows).filter(isWorkflowType),
			about: 'new: workflow whose stages become the tasks',
		},
		backlog: { type: 'boolean', about: 'new: create it in the backlog, not in progress' },
		json: { type: 'boolean', about: 'list: print JSON' },
	},
	verbs: { new: 1, pause: 1, resume: 1, archive: 1, list: 0 },
	examples: [
		'signalbox feature new user-login --workflow standard',
		'signalbox feature pause user-login',
		'signalbox feature archive user-login',
		'signalbox feature list --json',
	],
	exits: { 0: 'done', 1: 'refused, nothing was changed; the reason is on stderr' },
	run(values, [verb, name], terminal) {
		return withFeatures(values.project, terminal, (setting) => {
			if (verb === 'list') return list(setting, values.json, terminal);
			if (!isFeatureName(name)) throw new UsageError(`Name the feature: ${FEATURE_NAME_RULE}.`);
			// Without a writable home the folder must not move: a crash could not be recovered.
			writableHomeOf(terminal);
			const { root } = setting;
			switch (verb) {
				case 'new':
					return report(create(name, values, setting, terminal), terminal);
				case 'pause':
					return report(move('specs:pause', pauseFeature(root, name), name, setting), terminal);
				case 'resume':
					return report(move('specs:resume', resumeFeature(root, name), name, setting), terminal);
				case 'archive':
					return archive(name, values.session, setting, terminal);
			}
		});
	},
});

function move(
	type: Parameters<typeof recordMoved>[0],
	moved: FeatureChange<Moved>,
	name: string,
	{ ports, root }: FeatureSetting,
) {
	if (!moved.ok) return moved;
	return recordMoved(
		type,
		root,
		moved,
		sessionsOfFeature({ home: ports.home, root, feature: name, since: Number.NaN }),
		ports,
	);
}

interface NewFeature {
	workflow: WorkflowType | undefined;
	session: string | undefined;
	backlog: boolean | undefined;
}

function create(name: string, options: NewFeature, { ports, root }: FeatureSetting, terminal: Terminal) {
	const { workflow, session, backlog } = options;
	const sessionId = sessionOf(session, ports.home, root, terminal);
	return newFeature(root, name, ports, {
		state: backlog ? 'backlog' : 'in-progress',
		sessionId,
		...(workflow && { workflow, tasks: [...new Set(workflows[workflow].stages)] }),
	});
}

async function archive(name: string, session: string | undefined, { ports, root }: FeatureSetting, terminal: Terminal) {
	// Only a session that was named: a guess could archive the wrong timeline.
	const isNamed = session !== undefined || Boolean(terminal.env.CLAUDE_CODE_SESSION_ID);
	const sessions = isNamed ? [sessionOf(session, ports.home, root, terminal)] : [];
	const outcome = archiveFeature(root, name, { ...ports, sessions });
	if (outcome.ok && !(await isDoorOpen(ports.home))) {
		const { syncArchive } = await import('../archives/features/archive-sync.ts');
		await withArchives(ports.home, (archives) => syncArchive(outcome.id, archives));
	}
	return report(outcome, terminal);
}

function report(outcome: FeatureChange<{ path: string }>, terminal: Terminal): number {
	if (!outcome.ok) throw new Error(outcome.detail);
	terminal.print(outcome.path);
	return EXIT.done;
}

function list({ root }: FeatureSetting, json: boolean | undefined, terminal: Terminal): number {
	const found = readFeatures(root);
	if (json) {
		const records = found.map(({ feature: name, state, path, header, tasks }) => {
			const { feature: _feature, status: _status, ...rest } = header;
			return { name, state, path, ...rest, tasks };
		});
		terminal.print(JSON.stringify(records, null, '\t'));
	} else if (found.length === 0) terminal.say('No features yet. `signalbox feature new NAME` creates one.');
	else for (const one of found) terminal.print(featureLine(one));
	return EXIT.done;
}

function featureLine({ feature: name, folder, state, header, tasks }: FoundFeature): string {
	const shown = state === 'archived' ? folder : name;
	const progress = tasks.total === 0 ? '-' : `${tasks.done}/${tasks.total}`;
	return `${state.padEnd(12)} ${progress.padStart(7)}  ${shown}  ${printable(header.workflow ?? '', 40)}`.trimEnd();
}
