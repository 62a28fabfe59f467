import { isKnown } from '#lib/contract/events/is-known.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type {
	IndexedEvent,
	PlanEdit,
	SessionView,
	UnaskedAgent,
} from '#lib/contract/sessions/read-model/session-view.ts';
import { UNREADABLE_PLAN_RULE } from '#lib/gates/routing-plan/routing-plan-gate.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { alarmOf } from '#lib/session/call.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import type { IncidentLog } from './incident-log.ts';

const REMEMBERED = 1000;

/**
 * Raises an incident if a session's events show that the gates were circumvented: an input that was not judged, a sub-agent that
 * nobody requested, a plan that the agent itself may have changed. Events before the start are ignored. Returns the function that
 * ends it.
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
