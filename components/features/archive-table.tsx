import type { ReactNode } from 'react';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { likelyPairs, type SortColumn, sortFeatures } from '#lib/features/feature-list.ts';
import { workMs } from '#lib/features/feature-work.ts';
import type { Plain } from '#lib/messages/say.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { LedgerCount } from '../decisions/ledger-figures.tsx';
import { useSay } from '../language/use-say.ts';
import { useCan, useHub } from '../live/hub.tsx';
import { compareAddress, featureAddress } from '../row/addresses.ts';
import { ClientMark } from '../row/client.tsx';
import { Part } from '../ui/part.tsx';
import { Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { CountLink, TextLink } from '../ui/text-link.tsx';
import { useFeatureParams } from './feature-list.tsx';

interface ArchiveColumn {
	by: SortColumn;
	head: Plain;
	isNumber?: boolean;
	cell: (feature: FeatureRecord) => ReactNode;
}

const TEXT = { isNumber: false } as const;

const columns: readonly ArchiveColumn[] = [
	{ by: 'machine', head: 'Machine', ...TEXT, cell: ({ machine }) => machine && <AgentText>{machine.name}</AgentText> },
	{ by: 'date', head: 'Date', ...TEXT, cell: ({ archivedAt }) => archivedAt?.slice(0, 10) },
	{ by: 'workflow', head: 'Workflow', ...TEXT, cell: ({ workflow }) => workflow && <AgentText>{workflow}</AgentText> },
	{
		by: 'duration',
		head: 'Duration',
		cell: ({ outcome, sessions }) => (outcome && sessions.length > 0 ? spanDuration(workMs(outcome)) : undefined),
	},
	{ by: 'retries', head: 'Retries', cell: ({ outcome }) => outcome?.retries },
	{
		by: 'pass1',
		head: 'Passed first time',
		cell: ({ outcome }) => (outcome && outcome.passAt1 !== null ? `${Math.round(outcome.passAt1 * 100)} %` : undefined),
	},
	{
		by: 'denials',
		head: 'Denials',
		cell: ({ id, outcome }) => outcome && <FirstDenial id={id} count={outcome.denials} />,
	},
	{
		by: 'overrides',
		head: 'Overrides',
		cell: ({ outcome }) => outcome && <LedgerCount count={outcome.overrides} kind="overridden" spans={outcome.spans} />,
	},
	{
		by: 'tokens',
		head: 'Tokens#model',
		cell: ({ outcome }) => outcome?.usage && tokenNumber(tokensOf(outcome.usage)),
	},
	{ by: 'cost', head: 'Cost', cell: ({ outcome }) => outcome?.usage && costOfAll(outcome.usage) },
];

/** Number of denials, with a link to the first one in the recording. */
function FirstDenial({ id, count }: { id: string; count: number }) {
	const label = useSay()('{count}: go to the first denial', { count });
	return <CountLink count={count} href={`${featureAddress(id)}?go=denial`} label={label} />;
}

/** A phone has room for these; the feature's page has the others. */
const onPhones: ReadonlySet<SortColumn> = new Set(['machine', 'date', 'duration', 'denials', 'cost']);

const COUNTED: Plain =
	'Counted from when each session took the feature up until it was archived. Passed first time: the share of stages with a verdict that passed at the first attempt.';

/** The name column stays visible while the table scrolls sideways on narrow screens. */
const STAYS = 'pl-0 max-md:sticky max-md:left-0 max-md:bg-surface';

export function ArchiveTable({ features: all }: { features: readonly FeatureRecord[] }) {
	const say = useSay();
	const [{ sort, down }, setParams] = useFeatureParams();
	const features = sortFeatures(all, sort, down);
	const [pair] = likelyPairs(all);
	const canCompare = useCan('compare');
	// A hub's ledger does not contain archived lines; each machine has its own.
	const isHub = useHub();
	const sortable = (by: SortColumn) => ({
		key: by,
		sorted: by === sort && (down ? ('descending' as const) : ('ascending' as const)),
		onSort: () => void setParams({ sort: by, down: by === sort ? !down : true }),
	});
	return (
		<Part
			title={say('Archive')}
			count={features.length}
			aside={
				<>
					{!isHub && features.length > 0 && (
						<TextLink href="/decisions?kind=overridden&followed=true">{say('All overrides')}</TextLink>
					)}
					{canCompare && features.length > 1 && (
						<TextLink href={pair ? compareAddress(pair[0].id, pair[1].id) : '/compare'}>
							{say('Compare two of them')}
						</TextLink>
					)}
				</>
			}
		>
			{features.length === 0 ? (
				<p className="text-muted">
					{say('No archived feature is here. One that is archived keeps the recordings of its sessions.')}
				</p>
			) : (
				<Table
					isWide
					rowClassName="hover:bg-hover"
					rows={features}
					keyOf={({ id }) => id}
					columns={[
						{
							...sortable('name'),
							head: say('Feature'),
							className: STAYS,
							cellClassName: 'max-w-36 truncate md:max-w-72',
							cell: (feature) => <FeatureName feature={feature} />,
						},
						...columns
							.filter(({ by }) => isHub || by !== 'machine')
							.map(({ by, head, isNumber = true, cell }) => ({
								...{ ...sortable(by), head: say(head), isNumber, className: onPhones.has(by) ? '' : 'max-md:hidden' },
								cell: (one: FeatureRecord) => cell(one) ?? '–',
							})),
					]}
				/>
			)}
			{features.length > 0 && <p className="pt-1 text-muted text-small">{say(COUNTED)}</p>}
		</Part>
	);
}

function FeatureName({ feature: { id, name, project, makes } }: { feature: FeatureRecord }) {
	return (
		<>
			<TextLink href={featureAddress(id)} className="min-w-6 font-medium text-text">
				<AgentText>{name}</AgentText>
			</TextLink>{' '}
			<AgentText className="text-muted">{project}</AgentText>
			{makes.map((client) => (
				<ClientMark key={client} client={client} className="ml-1 inline-block align-middle" />
			))}
		</>
	);
}
