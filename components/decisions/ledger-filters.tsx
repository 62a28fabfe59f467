import { agentTitle } from '#lib/agents/agent-table.ts';
import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { outcomeWords, stateWords } from '#lib/ledger/ledger-words.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { type Filter, FilterControl } from '../ui/filter-control.tsx';
import { type LedgerParams, spans } from './ledger-params.ts';

interface LedgerFiltersProps {
	params: LedgerParams;
	sums: LedgerSummary | null;
	onChange: (change: Partial<LedgerParams>) => void;
}

const kinds = {
	denied: 'Denied, did not run',
	overridden: 'Overridden',
	'denied-calls': 'Denied, did not run',
} as const;

const spanWords: Record<(typeof spans)[number], Plain> = {
	...{ '1': 'last 24 hours', '7': 'last 7 days', '30': 'last 30 days', '90': 'last 90 days' },
};

const counted = <Name extends string>(
	values: readonly { name: Name; count: number }[] | undefined,
	titleOf: (name: Name) => string = (name) => name,
) => values?.map(({ name, count }) => ({ value: name, label: `${titleOf(name)} (${count})` })) ?? [];

/** What a reader narrows the ledger to; each choice says how many lines it leaves. */
export function LedgerFilters({ params, sums, onChange }: LedgerFiltersProps) {
	const say = useSay();
	const filters: Filter[] = [
		{
			label: say('type'),
			value: params.kind,
			choices: (['denied', 'overridden'] as const).map((kind) => ({ value: kind, label: say(kinds[kind]) })),
			titleOf: (kind) => say(kinds[kind as keyof typeof kinds]),
			onChoose: (kind) => onChange({ kind: kind as LedgerParams['kind'] }),
		},
		{
			label: say('time'),
			value: params.days,
			choices: spans.map((days) => ({ value: days, label: say(spanWords[days]) })),
			onChoose: (days) => onChange({ days: spans.find((span) => span === days) ?? null }),
		},
		{
			label: say('decision'),
			value: params.state,
			choices: counted(sums?.states, (name) => say(stateWords[name])),
			titleOf: (name) => say(stateWords[name as keyof typeof stateWords]),
			onChoose: (state) => onChange({ state: state as LedgerParams['state'] }),
		},
		{
			label: say('outcome'),
			value: params.outcome,
			choices: counted(sums?.outcomes, (name) => say(outcomeWords[name])),
			titleOf: (name) => say(outcomeWords[name as keyof typeof outcomeWords]),
			onChoose: (outcome) => onChange({ outcome: outcome as LedgerParams['outcome'] }),
		},
		{
			label: say('gate'),
			value: params.gate,
			choices: counted(sums?.gates, (name) => say.known(gateSentence(name))),
			titleOf: (name) => say.known(gateSentence(name)),
			onChoose: (gate) => onChange({ gate }),
		},
		{
			label: say('rule'),
			value: params.rule,
			choices: counted(sums?.rules),
			onChoose: (rule) => onChange({ rule }),
		},
		{
			label: say('person'),
			value: params.person,
			choices: counted(sums?.people),
			onChoose: (person) => onChange({ person }),
		},
		{
			label: say('project'),
			value: params.project,
			choices: counted(sums?.projects),
			onChoose: (project) => onChange({ project }),
		},
		{
			label: say('client'),
			value: params.make,
			choices: (sums?.makes.length ?? 0) > 1 ? counted(sums?.makes, agentTitle) : [],
			titleOf: agentTitle,
			onChoose: (client) => onChange({ make: client }),
		},
	];
	return (
		<fieldset aria-label={say('Filters')} className="flex flex-wrap items-center gap-x-2 gap-y-1">
			<FilterControl filters={filters} />
			<Chip
				isOn={params.followed !== null}
				onPress={() => onChange({ followed: params.followed === null ? 'true' : null })}
			>
				{say('What happened next')}
			</Chip>
			{params.session !== null && (
				<Button kind="quiet" size="small" onClick={() => onChange({ session: null })}>
					{say('some sessions only')} <span aria-hidden>✕</span>
					<span className="sr-only">{say(': show all')}</span>
				</Button>
			)}
		</fieldset>
	);
}
