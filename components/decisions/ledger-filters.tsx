import { agentTitle } from '#lib/agents/agent-table.ts';
import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import { outcomeWords, stateWords } from '#lib/ledger/ledger-words.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { Select } from '../ui/select.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { isNarrowed, type LedgerParams, spans } from './ledger-params.ts';

interface LedgerFiltersProps {
	params: LedgerParams;
	sums: LedgerSummary | null;
	onChange: (change: Partial<LedgerParams>) => void;
}

const kinds = [
	{ kind: null, label: 'All' },
	{ kind: 'denied', label: 'Denied, did not run' },
	{ kind: 'overridden', label: 'Overridden' },
] as const;

const spanWords: Record<(typeof spans)[number], Plain> = {
	...{ '1': 'last 24 hours', '7': 'last 7 days', '30': 'last 30 days', '90': 'last 90 days' },
};

const named = (values: LedgerSummary['rules'] | undefined, titleOf = (name: string) => name) =>
	values?.map(({ name, count }) => ({ value: name, label: `${titleOf(name)} (${count})` })) ?? [];

/** Chips for what a reader narrows the ledger to; each says how many lines it leaves. */
export function LedgerFilters({ params, sums, onChange }: LedgerFiltersProps) {
	const say = useSay();
	const isFiltered = isNarrowed(params);
	const states = sums?.states.map(({ name, count }) => ({ value: name, label: `${say(stateWords[name])} (${count})` }));
	const outcomes = sums?.outcomes.map(({ name, count }) => ({
		value: name,
		label: `${say(outcomeWords[name])} (${count})`,
	}));
	return (
		<fieldset aria-label={say('Filters')} className="flex flex-wrap items-center gap-x-2 gap-y-1">
			{kinds.map(({ kind, label }) => {
				const isOn = params.kind === kind || (kind === 'denied' && params.kind === 'denied-calls');
				return <Chip key={label} label={say(label)} isOn={isOn} onPress={() => onChange({ kind })} />;
			})}
			<Chip
				label={say('What happened next')}
				isOn={params.followed !== null}
				onPress={() => onChange({ followed: params.followed === null ? 'true' : null })}
			/>
			<Narrow
				label={say('time')}
				value={params.days}
				choices={spans.map((days) => ({ value: days, label: say(spanWords[days]) }))}
				onChoose={(days) => onChange({ days })}
			/>
			<Narrow
				label={say('decision')}
				value={params.state}
				words={stateWords}
				choices={states ?? []}
				onChoose={(state) => onChange({ state })}
			/>
			<Narrow
				label={say('outcome')}
				value={params.outcome}
				words={outcomeWords}
				choices={outcomes ?? []}
				onChoose={(outcome) => onChange({ outcome })}
			/>
			<Narrow
				label={say('rule')}
				value={params.rule}
				choices={named(sums?.rules)}
				onChoose={(rule) => onChange({ rule })}
			/>
			<Narrow
				label={say('gate')}
				value={params.gate}
				choices={named(sums?.gates)}
				onChoose={(gate) => onChange({ gate })}
			/>
			<Narrow
				label={say('person')}
				value={params.person}
				choices={named(sums?.people)}
				onChoose={(person) => onChange({ person })}
			/>
			<Narrow
				label={say('project')}
				value={params.project}
				choices={named(sums?.projects)}
				onChoose={(project) => onChange({ project })}
			/>
			{(params.make !== null || (sums?.makes.length ?? 0) > 1) && (
				<Narrow
					label={say('client')}
					value={params.make}
					choices={named(sums?.makes, agentTitle)}
					onChoose={(make) => onChange({ make })}
				/>
			)}
			{params.session !== null && (
				<Button kind="quiet" size="small" onClick={() => onChange({ session: null })}>
					{say('some sessions only')} <span aria-hidden>✕</span>
					<span className="sr-only">{say(': show all')}</span>
				</Button>
			)}
			{isFiltered && (
				<Button kind="quiet" size="small" onClick={() => onChange({ ...NOTHING })}>
					{say('Clear')}
				</Button>
			)}
		</fieldset>
	);
}

const NOTHING: LedgerParams = {
	...{
		kind: null,
		state: null,
		outcome: null,
		rule: null,
		gate: null,
		person: null,
		project: null,
		make: null,
		session: null,
		days: null,
		followed: null,
	},
};

function Chip({ label, isOn, onPress }: { label: string; isOn: boolean; onPress: () => void }) {
	return (
		<button
			type="button"
			aria-pressed={isOn}
			onClick={onPress}
			className={cn(
				'h-6 rounded-full border border-edge px-2.5 text-muted hover:bg-hover pointer-coarse:h-10',
				isOn && 'border-accent bg-selected text-text',
			)}
		>
			{label}
		</button>
	);
}

interface NarrowProps<Value extends string> {
	label: string;
	value: Value | null;
	choices: readonly { value: Value; label: string }[];
	/** What values are called, where that is not what they are. */
	words?: Readonly<Record<Value, Plain>>;
	onChoose: (value: Value | null) => void;
}

/** One filter: a list of what there is, and once chosen a chip that takes it away again. */
function Narrow<Value extends string>({ label, value, choices, words, onChoose }: NarrowProps<Value>) {
	const say = useSay();
	if (value !== null) {
		const word: Plain | undefined = words?.[value];
		const name = (word && say(word)) ?? choices.find((choice) => choice.value === value)?.label ?? value;
		return (
			<Button size="small" className="max-w-60 rounded-full bg-selected" onClick={() => onChoose(null)}>
				<span className="text-muted">{label}</span> <AgentText className="min-w-0 truncate">{name}</AgentText>
				<span aria-hidden>✕</span>
				<span className="sr-only">{say(': show all')}</span>
			</Button>
		);
	}
	return (
		<Select
			label={say('Filter by {label}', { label })}
			value=""
			choices={[{ value: '', label }, ...choices]}
			onChoose={(chosen) => onChoose(choices.find((choice) => choice.value === chosen)?.value ?? null)}
			className="max-w-24 text-muted"
		/>
	);
}
