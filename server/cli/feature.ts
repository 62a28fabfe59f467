import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import type { FeatureOutcome } from '#hooks-bridge/features/feature-ports.ts';
import { sessionsOfFeature } from '#hooks-bridge/features/feature-sessions.ts';
import { type Moved, pauseFeature, resumeFeature, tellMove } from '#hooks-bridge/features/move-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import { type FoundFeature, readFeatures } from '#hooks-bridge/features/read-features.ts';
import { FEATURE_NAME_RULE, isFeatureName } from '#lib/features/feature-name.ts';
import { printable } from '#lib/text/printable.ts';
import { isWorkflowType, workflows } from '#lib/workflow/registry.ts';
import { type Command, EXIT, type OptionValues, type Terminal, UsageError } from '../process/command.ts';
import { isDoorOpen, writableHomeOf } from '../process/home.ts';
import { sessionOf } from '../timeline/find-session.ts';
import { type FeatureSetting, oneOf, withArchives, withFeatures } from './feature-ports.ts';

const ACTIONS = ['new', 'pause', 'resume', 'archive', 'list'] as const;
type Action = (typeof ACTIONS)[number];

/** `signalbox feature` */
export const feature: Command = {
	usage: 'feature new|pause|resume|archive NAME | feature list',
	about: [
		'Features are folders of specs/features in the project: in-progress, paused, backlog and archive. `new` makes one',
		'with its tasks.md, `pause` and `resume` move it, `archive` puts it below archive/ with its date and keeps the',
		'timelines of its sessions below the home. Nothing is ever overwritten. `list` shows all, also for scripts.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'the project (default: the one around this folder)' },
		session: {
			type: 'string',
			value: 'ID',
			about: 'default: CLAUDE_CODE_SESSION_ID; of `new` also the newest live session',
		},
		workflow: { type: 'string', value: 'KEY', about: 'new: the workflow, whose stages become the tasks' },
		backlog: { type: 'boolean', about: 'new: put it into the backlog, not in progress' },
		json: { type: 'boolean', about: 'list: print JSON' },
	},
	words: 2,
	examples: [
		'signalbox feature new user-login --workflow standard',
		'signalbox feature pause user-login',
		'signalbox feature archive user-login',
		'signalbox feature list --json',
	],
	exits: { 0: 'done', 1: 'refused; why is on stderr, and nothing was changed', 2: 'the command line does not fit' },
	run(values, words, terminal) {
		const action = ACTIONS.find((known) => known === words[0]);
		if (!action) throw new UsageError(`Say what to do: ${ACTIONS.map((known) => `feature ${known}`).join(', ')}.`);
		return withFeatures(values.project, terminal, (setting) => act(action, words[1], values, setting, terminal));
	},
};

function act(
	action: Action,
	name: string | undefined,
	values: OptionValues,
	setting: FeatureSetting,
	terminal: Terminal,
): number | Promise<number> {
	if (action === 'list') {
		if (name !== undefined) throw new UsageError('`feature list` takes no name.');
		return list(setting, values.json === true, terminal);
	}
	if (!isFeatureName(name)) throw new UsageError(`Name the feature: ${FEATURE_NAME_RULE}.`);
	// A folder must not move where nobody could be told.
	writableHomeOf(terminal);
	const { root } = setting;
	switch (action) {
		case 'new':
			return tell(create(name, values, setting, terminal), ({ path }) => path, terminal);
		case 'pause':
			return tell(move('specs:pause', pauseFeature(root, name), name, setting), ({ path }) => path, terminal);
		case 'resume':
			return tell(move('specs:resume', resumeFeature(root, name), name, setting), ({ path }) => path, terminal);
		case 'archive':
			return archive(name, values, setting, terminal);
	}
}

function move(
	type: Parameters<typeof tellMove>[0],
	moved: FeatureOutcome<Moved>,
	name: string,
	{ world, root }: FeatureSetting,
) {
	if (!moved.ok) return moved;
	return tellMove(
		type,
		root,
		moved,
		sessionsOfFeature({ home: world.home, root, feature: name, since: Number.NaN }),
		world,
	);
}

function create(name: string, values: OptionValues, { world, root }: FeatureSetting, terminal: Terminal) {
	const keys = Object.keys(workflows).filter(isWorkflowType);
	const workflow = oneOf('workflow', values.workflow, keys);
	const sessionId = sessionOf(values.session, world.home, root, terminal);
	return newFeature(root, name, world, {
		state: values.backlog === true ? 'backlog' : 'in-progress',
		sessionId,
		...(workflow && { workflow, tasks: [...new Set(workflows[workflow].stages)] }),
	});
}

async function archive(name: string, values: OptionValues, { world, root }: FeatureSetting, terminal: Terminal) {
	// Only a session that was named: a guess must not put a stranger's timeline into the archive.
	const isNamed = values.session !== undefined || Boolean(terminal.env.CLAUDE_CODE_SESSION_ID);
	const sessions = isNamed ? [sessionOf(values.session, world.home, root, terminal)] : [];
	const outcome = archiveFeature(root, name, { ...world, sessions });
	if (outcome.ok && !(await isDoorOpen(world.home))) {
		const { syncArchive } = await import('../archives/features/archive-sync.ts');
		await withArchives(world.home, (archives) => syncArchive(outcome.id, archives));
	}
	return tell(outcome, ({ path }) => path, terminal);
}

function tell<T>(outcome: FeatureOutcome<T>, line: (done: T) => string, terminal: Terminal): number {
	if (outcome.ok) terminal.print(line(outcome));
	else terminal.say(outcome.detail);
	return outcome.ok ? EXIT.done : EXIT.failed;
}

function list({ root }: FeatureSetting, json: boolean, terminal: Terminal): number {
	const found = readFeatures(root);
	if (json) {
		const records = found.map(({ feature: name, state, path, header, tasks }) => ({
			name,
			state,
			path,
			...header,
			tasks,
		}));
		terminal.print(
			JSON.stringify(
				records.map(({ feature: _, status: __, ...record }) => record),
				null,
				'\t',
			),
		);
	} else if (found.length === 0) terminal.say('No features yet. `signalbox feature new NAME` makes one.');
	else for (const one of found) terminal.print(lineOf(one));
	return EXIT.done;
}

function lineOf({ feature: name, folder, state, header, tasks }: FoundFeature): string {
	const shown = state === 'archived' ? folder : name;
	const progress = tasks.total === 0 ? '-' : `${tasks.done}/${tasks.total}`;
	return `${state.padEnd(12)} ${progress.padStart(7)}  ${shown}  ${printable(header.workflow ?? '', 40)}`.trimEnd();
}
