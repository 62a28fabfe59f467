import { parseAsString, useQueryState } from 'nuqs';
import { useShallow } from 'zustand/react/shallow';
import { agentTitle } from '#lib/agents/agent-table.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { remembered } from '#lib/session/remembered.ts';
import { useSay } from '../language/use-say.ts';
import { useSummaries } from '../live/session-pages.ts';
import { useLive } from '../live/store.ts';
import { cn } from '../ui/cn.ts';
import { type Filter, namesToChoose } from '../ui/filter-control.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** The client of a session, where it is not the one that most sessions have. */
export function ClientMark({ client, className }: { client: string | undefined; className?: string }) {
	const usual = useLive(({ sessions }) => usualClient(sessions ?? NONE));
	if (client === undefined || client === usual) return null;
	return (
		<AgentText className={cn('min-w-0 truncate text-muted text-small', className)}>{agentTitle(client)}</AgentText>
	);
}

/** Filter by client; without options unless several are in use. */
export function useClientFilter(): Filter {
	const say = useSay();
	const [client, setClient] = useClientParam();
	const clients = useClients();
	return {
		label: say('client'),
		value: client,
		choices: clients.length > 1 ? clients.map((value) => ({ value, label: agentTitle(value) })) : [],
		titleOf: agentTitle,
		onChoose: (next) => void setClient(next),
	};
}

type Sessions = Record<string, SessionSummary>;

const NONE: Sessions = {};
const IN_PLACE = { history: 'replace', scroll: false } as const;

// Memoized, because it is called at every store change and clients rarely change.
const clientsIn = remembered((sessions: Sessions): readonly string[] =>
	[...new Set(Object.values(sessions).map(({ agent }) => agent))].sort(),
);

const usualClient = remembered((sessions: Sessions): string | undefined => {
	const all = Object.values(sessions).map(({ agent }) => agent);
	return clientsIn(sessions).find((client) => all.filter((each) => each === client).length > all.length / 2);
});

const useClients = (): readonly string[] => useLive(useShallow(({ sessions }) => clientsIn(sessions ?? NONE)));

/** The client that the page's list is filtered by, null for all. In the URL, equal on all pages. */
export const useClientParam = () => useQueryState('make', parseAsString.withOptions(IN_PLACE));

/**
 * Filters for lists by client and project of the session, and a test whether an entry is shown. Entries without a session
 * always match.
 */
export function useSourceFilter(sessionIds: readonly (string | undefined)[]) {
	const say = useSay();
	const client = useClientFilter();
	const [project, setProject] = useQueryState('project', parseAsString.withOptions(IN_PLACE));
	const sessions = useSummaries([...new Set(sessionIds.filter((id) => id !== undefined))]);
	const isMatching = (session: SessionSummary) =>
		(client.value === null || session.agent === client.value) && (project === null || session.project === project);
	const matching = new Set(sessions.filter(isMatching).map(({ sessionId }) => sessionId));
	const isAll = client.value === null && project === null;
	const ofProject: Filter = {
		label: say('project'),
		value: project,
		choices: namesToChoose(sessions.map((session) => session.project)),
		onChoose: (next) => void setProject(next),
	};
	return {
		isShown: ({ sessionId }: { sessionId?: string | undefined }) =>
			isAll || sessionId === undefined || matching.has(sessionId),
		filters: [client, ofProject],
	};
}
