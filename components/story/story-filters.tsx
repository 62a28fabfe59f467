'use client';
import { decisions, type StoryFilter } from '#lib/timeline/story-filter.ts';
import { useLive } from '../live/store.ts';
import { useActorName } from '../session/use-actor-name.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';
import { ChoiceMenu } from '../ui/menu.tsx';

interface StoryFiltersProps {
	choices: { tools: string[]; agents: string[]; types: string[] };
	filter: StoryFilter;
	onChange: (change: Partial<StoryFilter>) => void;
}

const ANY = '';

/** The four filters; each offers what the loaded rows hold. */
export function StoryFilters({ choices, filter, onChange }: StoryFiltersProps) {
	const nameOf = useActorName(useLive((state) => state.session?.sessionId ?? ''));
	return (
		<fieldset className="flex h-8 shrink-0 items-center gap-1 overflow-x-auto border-line border-b px-3">
			<legend className="sr-only">Filters</legend>
			<Filter name="tool" value={filter.tool} values={choices.tools} onChoose={(tool) => onChange({ tool })} />
			<Filter
				name="agent"
				value={filter.agent}
				values={choices.agents}
				onChoose={(agent) => onChange({ agent })}
				say={(id) => nameOf(id === 'main' ? undefined : id)}
			/>
			<Filter name="type" value={filter.type} values={choices.types} onChoose={(type) => onChange({ type })} />
			<Filter
				name="decision"
				value={filter.decision}
				values={decisions}
				onChoose={(chosen) => onChange({ decision: decisions.find((each) => each === chosen) ?? null })}
			/>
		</fieldset>
	);
}

interface FilterProps {
	name: string;
	value: string | null;
	values: readonly string[];
	onChoose: (value: string | null) => void;
	say?: (value: string) => string;
}

function Filter({ name, value, values, onChoose, say = (each) => each }: FilterProps) {
	return (
		<ChoiceMenu
			label={`Filter by ${name}`}
			value={value ?? ANY}
			onChoose={(next) => onChoose(next === ANY ? null : next)}
			choices={[
				{ value: ANY, label: `any ${name}` },
				...values.map((each) => ({ value: each, label: <AgentText>{say(each)}</AgentText> })),
			]}
			trigger={
				<Button kind="quiet" size="small" className={value === null ? 'text-muted' : 'text-accent'}>
					{name}
					{value !== null && (
						<>
							: <AgentText>{say(value)}</AgentText>
						</>
					)}
					<span aria-hidden>▾</span>
				</Button>
			}
		/>
	);
}
