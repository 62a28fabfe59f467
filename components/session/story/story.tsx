import dynamic from 'next/dynamic';
import { memo, useCallback, useMemo } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { Plain } from '#lib/messages/say.ts';
import { find } from '#lib/session/view.ts';
import { clip } from '#lib/text/printable.ts';
import { decisions, filterChoices, type StoryFilter } from '#lib/timeline/story.ts';
import { useSay } from '../../language/use-say.ts';
import { readStored, writeStored } from '../../live/browser-storage.ts';
import { useAtMostEvery } from '../../live/now.ts';
import { useSession } from '../../live/session-source.ts';
import { useActorName } from '../../row/row-hooks.ts';
import { type Reading, readings, useSessionParams } from '../../row/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { Select } from '../../ui/select.tsx';
import { useRoving } from '../../ui/use-roving.ts';
import { useNarrow } from '../../ui/use-size.ts';
import { useNotes } from '../notes/notes-context.ts';
import { StoryList } from './story-list.tsx';

const Conversation = dynamic(() => import('./conversation.tsx').then((module) => module.Conversation));

export function Story({ sessionId }: { sessionId: string }) {
	const [params, setParams] = useSessionParams();
	const { tool, agent, type, decision, label, row } = params;
	const reading = params.reading ?? keptReading();
	const filter: StoryFilter = useMemo(
		() => ({ tool, agent, type, decision, label }),
		[tool, agent, type, decision, label],
	);
	const change = useCallback((to: Partial<StoryFilter>) => void setParams(to), [setParams]);
	const read = useCallback(
		(chosen: Reading) => {
			writeStored(KEY, chosen);
			void setParams({ reading: chosen }, { history: 'replace' });
		},
		[setParams],
	);
	const choose = useCallback((key: string) => void setParams({ row: key }), [setParams]);
	const roving = useRoving((key) => row && !key.startsWith('fold:') && setParams({ row: key }, { history: 'replace' }));
	return (
		<div className="relative flex min-h-0 flex-1 flex-col" ref={roving.listRef}>
			<StoryFilters sessionId={sessionId} filter={filter} reading={reading} onChange={change} onRead={read} />
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

/** How this browser read a story last; as a tree at first. */
const keptReading = (): Reading => readings.find((each) => each === readStored(KEY)) ?? 'tree';

/** What the filters offer is looked for in all loaded rows, so not at each batch of events. */
const AGAIN_MS = 1_000;

const NO_ROWS: readonly Row[] = [];

interface StoryFiltersProps {
	sessionId: string;
	filter: StoryFilter;
	reading: Reading;
	onChange: (change: Partial<StoryFilter>) => void;
	onRead: (reading: Reading) => void;
}

function StoryFilters({ sessionId, filter, reading, onChange, onRead }: StoryFiltersProps) {
	const rows = useAtMostEvery(useSession(sessionId, ({ window }) => window.rows) ?? NO_ROWS, AGAIN_MS);
	const choices = useMemo(() => filterChoices(rows), [rows]);
	const { labels } = useNotes();
	const nameOf = useActorTitle(sessionId);
	return (
		<div className="scroll-hint flex h-9 shrink-0 items-center gap-3 overflow-x-auto border-line border-b px-3 pointer-coarse:h-11">
			<Readings reading={reading} onRead={onRead} />
			<FilterBar choices={choices} labels={labels} filter={filter} nameOf={nameOf} onChange={onChange} />
		</div>
	);
}

const readingWords: Record<Reading, Plain> = { tree: 'Tree', flat: 'Rows', conversation: 'Conversation' };

const Readings = memo(function Readings({ reading, onRead }: Pick<StoryFiltersProps, 'reading' | 'onRead'>) {
	const say = useSay();
	return (
		<fieldset className="flex shrink-0 items-center rounded border border-line">
			<legend className="sr-only">{say('Read as')}</legend>
			{readings.map((each) => (
				<Button
					key={each}
					kind="quiet"
					size="small"
					aria-pressed={each === reading}
					className={each === reading ? 'bg-selected text-text' : 'text-muted'}
					onClick={() => onRead(each)}
				>
					{say(readingWords[each])}
				</Button>
			))}
		</fieldset>
	);
});

interface FilterBarProps {
	choices: ReturnType<typeof filterChoices>;
	labels: readonly string[];
	filter: StoryFilter;
	nameOf: (agentId: string | undefined) => string;
	onChange: (change: Partial<StoryFilter>) => void;
}

const ANY = '';

const FilterBar = memo(function FilterBar({ choices, labels, filter, nameOf, onChange }: FilterBarProps) {
	const say = useSay();
	const sayAgent = (id: string) => nameOf(id === 'main' ? undefined : id);
	const sayWord = (each: string) =>
		each === 'alarm' ? say('alarm#filter') : each === 'note' ? say('note#filter') : say.known(each);
	const decide = (chosen: string | null) => onChange({ decision: decisions.find((each) => each === chosen) ?? null });
	return (
		<fieldset className="flex shrink-0 items-center gap-1">
			<legend className="sr-only">{say('Filters')}</legend>
			<Filter name={say('tool')} value={filter.tool} values={choices.tools} onChoose={(tool) => onChange({ tool })} />
			<Filter
				name={say('agent')}
				value={filter.agent}
				values={choices.agents}
				wordOf={sayAgent}
				onChoose={(agent) => onChange({ agent })}
			/>
			<Filter
				name={say('type')}
				value={filter.type}
				values={choices.types}
				wordOf={sayWord}
				onChoose={(type) => onChange({ type })}
			/>
			<Filter name={say('decision')} value={filter.decision} values={decisions} wordOf={sayWord} onChoose={decide} />
			{(labels.length > 0 || filter.label) && (
				<Filter
					name={say('label')}
					value={filter.label ?? null}
					values={labels}
					onChoose={(label) => onChange({ label })}
				/>
			)}
		</fieldset>
	);
});

interface FilterProps {
	name: string;
	value: string | null;
	values: readonly string[];
	onChoose: (value: string | null) => void;
	wordOf?: (value: string) => string;
}

function Filter({ name, value, values, onChoose, wordOf = (each) => each }: FilterProps) {
	const say = useSay();
	const isNarrow = useNarrow();
	// A shared address may filter by something that is not loaded yet.
	const offered = value === null || values.includes(value) ? values : [value, ...values];
	return (
		<Select
			label={say('Filter by {name}', { name })}
			value={value ?? ANY}
			onChoose={(next) => onChoose(next === ANY ? null : next)}
			className={cn('min-w-0 max-md:flex-auto max-md:px-0', value === null ? 'text-muted' : 'text-accent')}
			choices={[
				{ value: ANY, label: isNarrow ? name : say('any {name}', { name }) },
				...offered.map((each) => ({ value: each, label: wordOf(each) })),
			]}
		/>
	);
}

const TASK_CHARS = 40;

/** As `useActorName`, and what the agent was for, so that of six developers each can be told from the others. */
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
