import { join } from 'node:path';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { type Incident, IncidentCode } from '#lib/contract/health/incidents.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type {
	IndexedEvent,
	PlanEdit,
	SessionView,
	UnaskedAgent,
} from '#lib/contract/sessions/read-model/session-view.ts';
import { UNREADABLE_PLAN_RULE } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { alarmOf } from '#lib/session/call.ts';
import { printable } from '#lib/text/printable.ts';
import type { Log } from '../../process/log.ts';
import type { HealingIndex } from '../../timeline/store/healing-index.ts';
import type { IndexStore } from '../../timeline/store/index-store.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { createIncidentLog, type IncidentLog, MAX_CHARS } from './incident-log.ts';

export interface IncidentsOptions {
	home: string;
	ports: Pick<Ports, 'append' | 'digest' | 'now'>;
	index: HealingIndex;
	tail: Tail;
	log: Log;
}

/** The log of incidents, with the problems of the index and of sessions; `all` includes those of earlier runs. */
export function openIncidents({ home, index, tail, ...rest }: IncidentsOptions): {
	incidents: IncidentLog;
	all: () => Incident[];
	close: () => void;
} {
	const incidents = createIncidentLog(rest);
	const earlier = createEarlierIncidents({ tail, index });
	watchIndex({ path: join(home, 'index.db'), index, tail, incidents });
	const close = watchSessions({ tail, incidents, now: Date.now });
	return { incidents, all: () => [...incidents.list(), ...earlier(incidents.list())], close };
}

/** How many lines of the home's timeline are searched, and how many incidents are given. */
const MAX_SEARCHED = 1000;
const GIVEN = 50;

interface EarlierOptions {
	tail: { viewOf: (sessionId: string) => Pick<SessionView, 'seq'> | undefined };
	index: Pick<IndexStore, 'events'>;
}

/** Incidents of earlier runs, newest first, without those in `known`. All count as over: one that still exists is found again. */
export function createEarlierIncidents({ tail, index }: EarlierOptions): (known: readonly Incident[]) => Incident[] {
	let read: { seq: number; found: Incident[] } = { seq: 0, found: [] };
	return (known) => {
		const seq = tail.viewOf(HOME_SESSION)?.seq ?? 0;
		if (seq !== read.seq) {
			const events = index.events(HOME_SESSION, { after: Math.max(0, seq - MAX_SEARCHED), limit: MAX_SEARCHED });
			read = { seq, found: events.flatMap(incidentOf).reverse() };
		}
		const isKnownOne = (one: Incident) =>
			known.some(({ code, message, at }) => code === one.code && message === one.message && at === one.at);
		return read.found.filter((one) => !isKnownOne(one)).slice(0, GIVEN);
	};
}

function incidentOf(event: IndexedEvent): Incident[] {
	if (!isKnown(event) || event.type !== 'system:warning') return [];
	const code = IncidentCode.safeParse(event.code);
	const message = printable(event.message, MAX_CHARS);
	return code.success ? [{ code: code.data, about: '', message, at: event.ts, until: event.ts }] : [];
}

/** Has a damaged index at `path` rebuilt from the timelines, and reports that on every page until it is done. */
export function watchIndex(options: {
	path: string;
	index: Pick<HealingIndex, 'onDamage' | 'onRebuilt'>;
	tail: Pick<Tail, 'restart'>;
	incidents: IncidentLog;
}): void {
	const { path, index, tail, incidents } = options;
	index.onDamage((reason) => {
		const message = sentence(
			'The index was damaged ({reason}) and is rebuilt from the timelines. Until that is done, sessions are missing from the pages; hooks are judged as ever',
			{ reason },
		);
		incidents.raise({ code: 'index/damaged', about: path, message, isOpen: true });
	});
	index.onRebuilt(() => void tail.restart().then(() => incidents.clear('index/damaged', path)));
}

const REMEMBERED = 1000;

/**
 * Raises an incident if events show that gates were circumvented: an unjudged input, a sub-agent that nobody requested, a plan
 * that the agent may have changed. Events before the start are ignored. Returns the function that ends it.
 */
export function watchSessions(options: {
	tail: Pick<Tail, 'onBatch'>;
	incidents: Pick<IncidentLog, 'raise'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}): () => void {
	const { tail, incidents, now } = options;
	const since = now();
	const reportedKeys = new Set<string>();

	/** A rebuilt index reads everything again, so events are reported only once. */
	const isNews = (key: string, at: string | undefined): boolean => {
		if (at === undefined || Date.parse(at) < since || reportedKeys.has(key)) return false;
		reportedKeys.add(key);
		const [oldest] = reportedKeys;
		if (oldest !== undefined && reportedKeys.size > REMEMBERED) reportedKeys.delete(oldest);
		return true;
	};
	const reportCall = ({ sessionId, project }: SessionView, { toolUseId, tool, title, endedAt }: CallView) => {
		const about = `${sessionId} · ${toolUseId}`;
		if (!isNews(about, endedAt)) return;
		const message = sentence(
			`Another input of {tool} ran${inProject(project)} than was judged ({call}). Unless somebody changed it in the client’s own dialog, a hook of somebody else did: \`signalbox doctor\` names them` as const,
			{ tool, call: title, project: project ?? '' },
		);
		incidents.raise({ code: 'call/other-input', about, message, sessionId, happenedAt: endedAt });
	};
	const reportAgent = ({ sessionId, project }: SessionView, { agentId, agent, at }: UnaskedAgent) => {
		const about = `${sessionId} · ${agentId}`;
		if (!isNews(about, at)) return;
		const message = sentence(
			`The sub-agent {name} appeared${inProject(project)}, and no call that was let through had asked for it. Look at what it does, and stop the session if it is not what you want` as const,
			{ name: agent, project: project ?? '' },
		);
		incidents.raise({ code: 'agent/unasked', about, message, sessionId, happenedAt: at });
	};
	const reportPlan = ({ sessionId, project }: SessionView, { id, planId, agents, how, at }: PlanEdit) => {
		if (!isNews(`${sessionId} · ${id}`, at)) return;
		const edit =
			agents.length > 0
				? sentence('expects {agents} now#how', { agents: agents.join(', ') })
				: sentence('was replaced or ended#how');
		const why =
			how === 'own-call'
				? sentence('a call of the agent itself changed it')
				: sentence('which had just been denied, and nobody has prompted the agent since');
		const filling = { plan: planId, project: project ?? '', how: edit, why };
		const message = sentence(
			`The routing plan {plan}${inProject(project)} {how}: {why}. If it was not you, put it back` as const,
			filling,
		);
		incidents.raise({ code: 'plan/edited', about: `${sessionId} · ${planId}`, message, sessionId, happenedAt: at });
	};

	const reportUnread = ({ sessionId, project }: SessionView, { id, ts }: IndexedEvent) => {
		if (!isNews(`${sessionId} · ${id}`, ts)) return;
		const message = sentence(
			`A sub-agent was let start${inProject(project)} although its routing plan cannot be read. Look at the plan, and stop the session if it is not what you want` as const,
			{ project: project ?? '' },
		);
		incidents.raise({ code: 'plan/edited', about: `${sessionId} · ${id}`, message, sessionId, happenedAt: ts });
	};

	return tail.onBatch(({ events, rows, view }) => {
		for (const event of events) {
			if (isKnown(event) && event.type === 'gate:verdict' && event.rule === UNREADABLE_PLAN_RULE)
				reportUnread(view, event);
		}
		for (const { call } of rows) if (call && alarmOf(call) === 'other-input-ran') reportCall(view, call);
		for (const agent of view.spawns?.unasked ?? []) reportAgent(view, agent);
		for (const edit of view.planEdits?.edits ?? []) reportPlan(view, edit);
	});
}

const inProject = (project: string | undefined) => (project === undefined ? '' : ' in {project}');
