import type { HubEdges } from '#lib/contract/hub/edges.ts';
import { useSay } from '../../language/use-say.ts';
import { cn } from '../../ui/cn.ts';
import { Select } from '../../ui/select.tsx';
import { groupLooks, groups } from './machine-looks.ts';
import type { useMachines } from './use-machines.ts';

type Params = ReturnType<typeof useMachines>['params'];

interface MachineFilterProps {
	list: HubEdges;
	params: Params;
	onChange: (change: Partial<Params>) => void;
}

/** What the list of machines is narrowed to; each state says how many there are of it. */
export function MachineFilter({ list: { counts, teams }, params: { team, state, q }, onChange }: MachineFilterProps) {
	const say = useSay();
	const all = groups.reduce((sum, group) => sum + counts[group], 0);
	const offered = groups.filter((group) => counts[group] > 0 || group === state);
	return (
		<div className="flex flex-wrap items-center gap-2">
			<fieldset aria-label={say('State')} className="flex flex-wrap gap-1">
				{[null, ...offered].map((group) => (
					<button
						key={group}
						type="button"
						aria-pressed={group === state}
						onClick={() => onChange({ state: group })}
						className={cn(
							'h-6 whitespace-nowrap rounded-full border border-edge px-2.5 text-muted hover:bg-hover pointer-coarse:h-10',
							group === state && 'border-accent bg-selected text-text',
						)}
					>
						{group === null
							? say('All {count}', { count: all })
							: say('{state} {count}', { state: say(groupLooks[group].word), count: counts[group] })}
					</button>
				))}
			</fieldset>
			{(teams.length > 1 || team !== null) && (
				<Select
					label={say('Team')}
					value={team ?? ''}
					choices={[{ value: '', label: say('All teams') }, ...teams.map((name) => ({ value: name, label: name }))]}
					onChoose={(chosen) => onChange({ team: chosen || null })}
				/>
			)}
			<input
				type="search"
				aria-label={say('Find machines')}
				placeholder={say('name, team, label…')}
				value={q}
				maxLength={200}
				onChange={(event) => onChange({ q: event.target.value })}
				className="h-6 w-full max-w-56 rounded border border-edge bg-surface px-2 placeholder:text-muted pointer-coarse:h-10"
			/>
		</div>
	);
}
