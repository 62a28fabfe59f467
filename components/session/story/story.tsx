import dynamic from 'next/dynamic';
import { useCallback, useMemo } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { Plain } from '#lib/messages/say.ts';
import { find } from '#lib/session/call.ts';
import { clip } from '#lib/text/printable.ts';
import { decisions, filterChoices, type StoryFilter } from '#lib/timeline/story.ts';
import { useSay } from '../../language/use-say.ts';
import { readStored, writeStored } from '../../live/browser-storage.ts';
import { useAtMostEvery } from '../../live/now.ts';
import { useSession } from '../../live/session-source.ts';
import { useActorName } from '../../row/row-hooks.ts';
import { type Reading, readings, useSessionParams } from '../../row/search-params.ts';
import { Choice } from '../../ui/choice.tsx';
import { type Filter, FilterControl } from '../../ui/filter-control.tsx';
import { useRoving } from '../../ui/use-roving.ts';
import { useNotes } from '../notes/notes-context.ts';
import { StoryList } from './story-list.tsx';

const Conversation = dynamic(() => import('./conversation.tsx').then((module) => module.Conversation));

export function Story({ sessionId }: { sessionId: string }) {
	const [params, setParams] = useSessionParams();
	const { tool, agent, type, decision, label, row } = params;
	const reading = params.reading ?? storedReading();
	const filter: StoryFilter = useMemo(
		() => ({ tool, agent, type, decision, label }),
		[tool, agent, type, decision, label],
	);
	const choose = useCallback((key: string) => void setParams({ row: key }), [setParams]);
	const roving = useRoving((key) => row && !key.startsWith('fold:') && setParams({ row: key }, { history: 'replace' }));
	return (
		<div className="relative flex min-h-0 flex-1 flex-col" ref={roving.listRef}>
			<StoryFilters sessionId={sessionId} filter={filter} reading={reading} />
			{reading === 'conversation' ? (
				<Conversation sessionId={sessionId} filter={filter} selected={row} onChoose={choose} />
			) : (
				<StoryList
					sessionId={sessionId}
					filter={filter}
					reading={reading}
					selected={row}
					active={roving.active}
					onChoose={choose}
				/>
			)}
		</div>
	);
}

const KEY = 'signalbox-story';

/** The last used reading in this browser; by default `tree`. */
const storedReading = (): Reading => readings.find((each) => each === readStored(KEY)) ?? 'tree';

/** Update interval (ms) of the filter options, which are searched in all loaded rows. */
const REFRESH_MS = 1_000;

const NO_ROWS: readonly Row[] = [];

function StoryFilters(props: { sessionId: string; filter: StoryFilter; reading: Reading }) {
	const { sessionId, filter, reading } = props;
	const say = useSay();
	const [, setParams] = useSessionParams();
	const rows = useAtMostEvery(useSession(sessionId, ({ window }) => window.rows) ?? NO_ROWS, REFRESH_MS);
	const { tools, agents, types } = useMemo(() => filterChoices(rows), [rows]);
	const { labels } = useNotes();
	const nameOf = useActorTitle(sessionId);
	const wordOf = {
		tool: (tool: string) => tool,
		agent: (id: string) => nameOf(id === 'main' ? undefined : id),
		type: (type: string) => (type === 'note' ? say('note#filter') : say.known(type)),
		decision: (each: string) => (each === 'alarm' ? say('alarm#filter') : say.known(each)),
		label: (label: string) => label,
	};
	const filterBy = (of: keyof StoryFilter, values: readonly string[]): Filter => ({
		label: say(of),
		value: filter[of] ?? null,
		choices: values.map((value) => ({ value, label: wordOf[of](value) })),
		titleOf: wordOf[of],
		onChoose: (chosen) => void setParams({ [of]: chosen }),
	});
	return (
		<div className="flex min-h-9 shrink-0 flex-wrap items-center gap-2 border-line border-b px-3 py-1">
			<Choice
				label={say('Read as')}
				value={reading}
				choices={readings.map((value) => ({ value, label: say(readingWords[value]) }))}
				onChoose={(chosen) => {
					writeStored(KEY, chosen);
					void setParams({ reading: chosen }, { history: 'replace' });
				}}
			/>
			<FilterControl
				filters={[
					filterBy('decision', decisions),
					filterBy('tool', tools),
					filterBy('agent', agents),
					filterBy('type', types),
					filterBy('label', labels),
				]}
			/>
		</div>
	);
}

const readingWords: Record<Reading, Plain> = { tree: 'Tree', flat: 'Rows', conversation: 'Conversation' };

const TASK_CHARS = 40;

/** `useActorName` with the task of the agent, to distinguish agents with the same name. */
function useActorTitle(sessionId: string): (agentId: string | undefined) => string {
	const nameOf = useActorName(sessionId);
	const agents = useSession(sessionId, (session) => session.view?.agents ?? null);
	return useCallback(
		(agentId) => {
			const name = nameOf(agentId);
			const agent = agents && agentId !== undefined ? find(agents, 'agentId', agentId) : undefined;
			if (!agents || !agent) return name;
			const alike = agents.filter((one) => one.name === agent.name && one.stage === agent.stage);
			const nth = alike.length > 1 ? `${alike.indexOf(agent) + 1}` : undefined;
			const task = clip(agent.stage ?? agent.description ?? '', TASK_CHARS);
			return [name, task, nth].filter(Boolean).join(' · ');
		},
		[nameOf, agents],
	);
}
