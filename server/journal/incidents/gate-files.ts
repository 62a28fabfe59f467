import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { sessionFolder, timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { findSettings, PLAN_PATH } from '#hooks-bridge/engine/facts.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { readSupervisor, supervisorFolderOf } from '#hooks-bridge/supervisor/state-store.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { isAutoFix, parseRoutingState } from '#lib/routing/routing-state.ts';
import { isFolder } from '../../process/is-folder.ts';
import { LruMap } from '../../process/lru-map.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import type { IncidentLog } from './incident-log.ts';

/** Identifies the state of a timeline, which only grows. */
export interface TimelineState {
	ino: number;
	size: number;
}

export interface GatedSession {
	home: string;
	sessionId: string;
	/** Its project's folder. */
	root: string;
	/** The feature of its workflow. */
	feature: string | undefined;
	/** Its timeline when something was denied. */
	timeline: TimelineState | null;
	env: Readonly<Record<string, string | undefined>>;
	ports: Pick<Ports, 'features' | 'now' | 'readHomeFile' | 'readProjectFile'>;
}

/** A file by which calls are judged. */
export interface GateFile {
	/** Its path in words for a person. */
	file: string;
	/** Gates, or other parts, that depend on it. */
	gates: string;
	/** The effect if it is missing or unreadable. */
	loss: string;
	/** How its loss is reported. */
	report: string;
	/** Rules whose denials show that it existed: after one it is watched until a person prompts. */
	rules?: readonly string[];
	/** The rule by which a call passes because the file is gone. */
	passes?: string;
	/** Not needed once its workflow is over. */
	endsWithWorkflow?: true;
	/** Whether the file would now let pass what it denied. Never throws. */
	isLost?(session: GatedSession): boolean;
}

const sessionFile = ({ home, sessionId }: GatedSession, name: string) => join(sessionFolder(home, sessionId), name);
const PLAN_RULES = ['routing.agent-in-plan', 'enforcer.delegate', 'routing.open-tasks'];
const INCIDENT = 'an incident, within a second';

/** Every file that a gate depends on. */
export const gateFiles: readonly GateFile[] = [
	{
		file: '`.vibe-engine/routing-state.json` in the project',
		gates: '`routing-plan`, `routing-enforcer`, `routing-completion`',
		loss: 'the plan that denied a call binds as it was read last, until a person prompts; no plan denies nothing, one that cannot be read lets agents start',
		report: `${INCIDENT}; each start by a plan that cannot be read is one, too`,
		rules: PLAN_RULES,
		passes: 'routing.no-plan',
		isLost({ root, ports }) {
			const read = ports.readProjectFile(root, PLAN_PATH);
			return !read.ok || !parseRoutingState(read.text).ok;
		},
	},
	{
		file: '`.vibe-engine/auto-fix-state.json` in the project',
		gates: '`routing-enforcer`',
		loss: 'no repair is at work, and the gate judges; one that says so lets everything pass for five minutes',
		report: `one that says so after a denial: ${INCIDENT}`,
		rules: ['enforcer.delegate'],
		isLost({ root, ports }) {
			const read = ports.readProjectFile(root, '.vibe-engine/auto-fix-state.json');
			return read.ok && isAutoFix(read.text, ports.now());
		},
	},
	{
		file: '`sessions/ID/workflow.json` in the home',
		gates: '`stage-guard`, `loop`',
		loss: 'text that cannot be read is rebuilt from the timeline; without the file the session has no workflow, and nothing is denied by it',
		report: INCIDENT,
		rules: ['stage.skips-required', 'loop.open-stages', 'loop.open-boxes'],
		isLost: (session) => !readBounded(sessionFile(session, 'workflow.json')).ok,
	},
	{
		file: '`sessions/ID/loop.json` in the home',
		gates: '`loop`',
		loss: 'it is rebuilt from the timeline and counting continues',
		report: 'nothing: it denies as before',
	},
	{
		file: '`sessions/ID/timeline.jsonl` in the home',
		gates: '`stage-guard`, `loop`, and the plan that binds after a denial',
		loss: 'the workflow and what was denied are no longer known',
		report: INCIDENT,
		rules: ['stage.skips-required', 'loop.open-stages', 'loop.open-boxes', ...PLAN_RULES],
		isLost({ home, sessionId, timeline }) {
			const now = timelineState(home, sessionId);
			return now === null || timeline === null || now.ino !== timeline.ino || now.size < timeline.size;
		},
	},
	{
		file: '`tasks.md` of the feature in the project',
		gates: '`loop`, `completion-validator`',
		loss: 'no box is open, and the agent may stop',
		report: INCIDENT,
		rules: ['loop.open-boxes'],
		endsWithWorkflow: true,
		isLost: ({ root, feature, ports }) => (ports.features.tasks(root, feature)?.total ?? 0) === 0,
	},
	{
		file: '`.vibe-engine/tasks/*.yaml` in the project',
		gates: '`agent-router`',
		loss: 'no plan is made of it; one that was made denies as before',
		report: 'nothing: none of it lets more pass',
	},
	{
		file: '`ccc/supervisor-ID.json` in the client’s folder',
		gates: '`supervisor`',
		loss: 'the supervisor is off, unless the settings switch it on',
		report: INCIDENT,
		rules: ['supervisor.review', 'supervisor.review-failed'],
		isLost({ env, sessionId, root, ports }) {
			const folder = supervisorFolderOf(env, sessionId);
			return (
				folder !== null && !readSupervisor(folder, sessionId, ports.now(), findSettings(root, ports as Ports)).enabled
			);
		},
	},
	{
		file: '`config.json` in the home',
		gates: 'every gate, by its switch; `command-policy` by its list',
		loss: 'the defaults apply; an entry that fails closed denies every command while it cannot be read',
		report: 'an incident, within three seconds, where something is denied no longer',
	},
	{
		file: '`.overtone/config.json` in the project',
		gates: 'the same; it can only tighten',
		loss: 'what it had tightened is loose; an entry that fails closed denies every command while it cannot be read',
		report: 'as above',
	},
	{
		file: '`hub-policy.json` in the home',
		gates: 'what a hub tightens',
		loss: 'the server puts it back from the journal; an entry that fails closed denies every command while it cannot be read',
		report: 'an incident',
	},
	{
		file: '`.claude/settings.json`, `settings.local.json` and the like',
		gates: 'whether the client asks at all',
		loss: 'the client runs no hook, and says nothing',
		report: 'an incident, within three seconds',
	},
	{
		file: '`bin/hook.sh`, `hook.cjs` and their parts in the home',
		gates: 'every entry',
		loss: 'entries that fail open do nothing, those that fail closed deny',
		report: 'an incident, within a second',
	},
	{
		file: '`bridge.sock` and `door.key` in the home',
		gates: 'every entry',
		loss: 'hooks judge by themselves; without the key entries that fail closed deny',
		report: 'an incident for the socket, within a second; it is put back',
	},
	{
		file: '`journal.db` and `journal.key` in the home',
		gates: 'grants and approvals, which let a denied call pass',
		loss: 'nobody can approve, no grant counts, denials stand',
		report: 'an incident, within a second',
	},
	{
		file: '`server.lock` and `server.url` in the home',
		gates: 'none',
		loss: 'what stands in their place is moved aside at the next start',
		report: 'a line in the log',
	},
	{
		file: '`llm.key` in the home',
		gates: '`spawn-validator`, `completion-validator`',
		loss: 'no model is asked, and the rules alone judge',
		report: 'the verdict says that no model judged',
	},
	{
		file: '`retention` in `config.json`',
		gates: 'none: it says what is removed',
		loss: 'nothing is removed while it cannot be read',
		report: 'the command fails, and Health says why',
	},
];

/** The current state of a session's timeline; null if it is not a plain file. */
export function timelineState(home: string, sessionId: string): TimelineState | null {
	const stat = tryTo(() => lstatSync(timelinePath(home, sessionId)));
	return stat?.isFile() ? { ino: stat.ino, size: stat.size } : null;
}

/** How many sessions are checked: those with the newest denials. */
const MAX_WATCHED = 100;

interface Watched {
	session: GatedSession;
	project: string;
	/** The files behind its denials, while they are intact. */
	files: Set<GateFile>;
}

/**
 * Watches the files behind denials until a person prompts. One that no longer denies is an incident, since the agent may have
 * changed it. Denials are kept in memory, out of reach. Checks every second and after each event.
 */
export function watchGateFiles(options: {
	home: string;
	env: GatedSession['env'];
	tail: Pick<Tail, 'onBatch'>;
	ports: GatedSession['ports'] & Pick<Ports, 'projectRootOf'>;
	incidents: Pick<IncidentLog, 'raise'>;
}) {
	const { home, env, tail, ports, incidents } = options;
	const since = ports.now();
	const watched = new LruMap<string, Watched>(MAX_WATCHED);
	/** Time of each session's last prompt, in milliseconds since the epoch. */
	const prompts = new LruMap<string, number>(MAX_WATCHED);

	/** `passed`: the rules by which a call has just passed. */
	const checkSession = ({ session, project, files }: Watched, passed: readonly string[] = []) => {
		for (const row of files) {
			const hasPassed = row.passes !== undefined && passed.includes(row.passes);
			if (!hasPassed && !row.isLost?.(session)) continue;
			files.delete(row);
			// The whole project was deleted, not only this file.
			if (!isFolder(session.root)) continue;
			const message = sentence(
				'A rule of {project} was loosened while nobody prompted the agent. Was it you? If not, put {file} back',
				{ file: row.file, project },
			);
			const { sessionId } = session;
			incidents.raise({ code: 'plan/edited', about: `${sessionId} · ${row.file}`, message, sessionId });
		}
	};
	const watch = (view: SessionView, rule: string) => {
		const { sessionId, cwd, project = '' } = view;
		const rows = gateFiles.filter(({ rules }) => rules?.includes(rule));
		if (rows.length === 0 || cwd === undefined) return;
		const before = watched.get(sessionId);
		const timeline = before?.session.timeline ?? timelineState(home, sessionId);
		const root = ports.projectRootOf(cwd);
		const session = { home, sessionId, root, feature: view.workflow?.featureName, timeline, env, ports };
		watched.set(sessionId, { session, project, files: new Set([...(before?.files ?? []), ...rows]) });
	};

	const endWorkflow = (sessionId: string) => {
		const files = watched.get(sessionId)?.files;
		for (const row of files ?? []) if (row.endsWithWorkflow) files?.delete(row);
	};
	/** Starts or ends watching as the event asks for. Returns the rule by which it records a pass, if any. */
	const checkEvent = (event: IndexedEvent, view: SessionView): string[] => {
		if (!isKnown(event)) return [];
		if (event.type === 'workflow:complete' || event.type === 'workflow:abort') endWorkflow(view.sessionId);
		if (event.type !== 'gate:verdict') return [];
		if (event.decision === 'pass') return [event.rule];
		if (Date.parse(event.ts) >= Math.max(since, prompts.get(view.sessionId) ?? 0)) watch(view, event.rule);
		return [];
	};
	const close = tail.onBatch(({ sessionId, events, view }) => {
		const passed = events.flatMap((event) => checkEvent(event, view));
		const own = watched.get(sessionId);
		if (own) checkSession(own, passed);
	});
	return {
		checkAll() {
			for (const one of watched.values()) checkSession(one);
		},
		/** A person has prompted, as the door reports it: a line in a timeline could be forged. */
		prompted(sessionId: string) {
			prompts.set(sessionId, ports.now());
			watched.delete(sessionId);
		},
		close,
	};
}
