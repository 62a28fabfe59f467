import { alarmOf, type CallView } from '#lib/session/call.ts';
import type { SessionView, UnaskedAgent } from '#lib/session/view.ts';
import type { Tail } from '../tail/tail.ts';
import type { IncidentBook } from './incident-book.ts';

const REMEMBERED = 1000;

/**
 * Raises what a session's events show to have gone around the judges: an input that nobody judged, a sub-agent that nobody
 * asked for. What happened before the start is no news. Gives how to end it.
 */
export function watchSessions(options: {
	tail: Pick<Tail, 'onBatch'>;
	incidents: Pick<IncidentBook, 'raise'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}): () => void {
	const { tail, incidents, now } = options;
	const since = now();
	const told = new Set<string>();

	/** The index may be rebuilt and read everything again: then the same is said again. */
	const isNews = (key: string, at: string | undefined): boolean => {
		if (at === undefined || Date.parse(at) < since || told.has(key)) return false;
		told.add(key);
		const [oldest] = told;
		if (oldest !== undefined && told.size > REMEMBERED) told.delete(oldest);
		return true;
	};
	const tellCall = ({ sessionId, project }: SessionView, { toolUseId, tool, title, endedAt }: CallView) => {
		const about = `${sessionId} · ${toolUseId}`;
		if (!isNews(about, endedAt)) return;
		const message = `Another input of ${tool} ran${inProject(project)} than was judged (${title}). Unless somebody changed it in the client’s own dialog, a hook of somebody else did: \`signalbox doctor\` names them`;
		incidents.raise({ code: 'call/other-input', about, message, sessionId, happenedAt: endedAt });
	};
	const tellAgent = ({ sessionId, project }: SessionView, { agentId, agent, at }: UnaskedAgent) => {
		const about = `${sessionId} · ${agentId}`;
		if (!isNews(about, at)) return;
		const message = `The sub-agent ${agent} appeared${inProject(project)}, and no judged call had asked for it. Look at what it does, and stop the session if it is not what you want`;
		incidents.raise({ code: 'agent/unasked', about, message, sessionId, happenedAt: at });
	};

	return tail.onBatch(({ rows, view }) => {
		for (const { call } of rows) if (call && alarmOf(call) === 'other-input-ran') tellCall(view, call);
		for (const agent of view.spawns?.unasked ?? []) tellAgent(view, agent);
	});
}

const inProject = (project: string | undefined) => (project === undefined ? '' : ` in ${project}`);
