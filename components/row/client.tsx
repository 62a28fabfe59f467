import { parseAsString, useQueryState } from 'nuqs';
import { useShallow } from 'zustand/react/shallow';
import { agentTitle } from '#lib/agents/agent-table.ts';
import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { remembered } from '#lib/session/remembered.ts';
import { useSay } from '../language/use-say.ts';
import { useSummaries } from '../live/session-pages.ts';
import { useLive } from '../live/store.ts';
import { Chip } from '../ui/chip.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';

interface ClientMarkProps {
	make: string | undefined;
	className?: string;
	/** Of the mark, where there is no room for the name. */
	markClassName?: string;
}

/** Which client it is: a mark with its name on hover; where several are in use, its name. */
export function ClientMark({ make, className, markClassName }: ClientMarkProps) {
	const hasOthers = useClients().length > 1;
	if (make === undefined) return null;
	const name = agentTitle(make);
	return (
		<span title={name} className="inline-flex min-w-4 shrink-[99] items-center text-muted text-small">
			{hasOthers && <AgentText className={cn('min-w-0 truncate', className)}>{name}</AgentText>}
			{(!hasOthers || markClassName !== undefined) && (
				<span
					role="img"
					aria-label={name}
					className={cn(
						'grid size-4 shrink-0 place-items-center rounded-sm border border-line bg-raised leading-none',
						hasOthers && markClassName,
					)}
				>
					{[...name][0]}
				</span>
			)}
		</span>
	);
}

/** A chip for each client that a list may be narrowed to; nothing where there is one alone. */
export function ClientFilter({ className }: { className?: string }) {
	const say = useSay();
	const [make, setMake] = useClientParam();
	const makes = useClients();
	const offered = make === null || makes.includes(make) ? makes : [make, ...makes];
	if (offered.length < 2 && make === null) return null;
	return (
		<fieldset aria-label={say('Client')} className={cn('flex flex-wrap items-center gap-1', className)}>
			{offered.map((name) => (
				<Chip
					key={name}
					isOn={name === make}
					className="max-w-40 truncate"
					onPress={() => void setMake(name === make ? null : name)}
				>
					<AgentText>{agentTitle(name)}</AgentText>
				</Chip>
			))}
		</fieldset>
	);
}

type Sessions = Record<string, SessionSummary>;

const NONE: Sessions = {};

// Every change of the store asks, that of a session's events, too, which changes nothing here.
const clientsIn = remembered((sessions: Sessions): readonly string[] =>
	[...new Set(Object.values(sessions).map(({ agent }) => agent))].sort(),
);

function useClients(): readonly string[] {
	return useLive(useShallow(({ sessions }) => clientsIn(sessions ?? NONE)));
}

/** The make that the page's list is narrowed to, null for all; it is in the address, the same on every page. */
export function useClientParam() {
	return useQueryState('make', parseAsString.withOptions({ history: 'replace', scroll: false }));
}

/** The lines of a list that are of the make in the address, by their sessions; what is about no session is about every make. */
export function useOfClient<Line extends { sessionId?: string | undefined }>(lines: readonly Line[]): readonly Line[] {
	const [make] = useClientParam();
	const sessions = useSummaries(make === null ? [] : lines.flatMap(({ sessionId }) => sessionId ?? []));
	if (make === null) return lines;
	const mine = new Set(sessions.filter(({ agent }) => agent === make).map(({ sessionId }) => sessionId));
	return lines.filter(({ sessionId }) => sessionId === undefined || mine.has(sessionId));
}
