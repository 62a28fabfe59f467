import Link from 'next/link';
import type { ReactNode } from 'react';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { workMs } from '#lib/features/feature-work.ts';
import type { Plain } from '#lib/messages/say.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { LedgerCount } from '../decisions/ledger-figures.tsx';
import { useSay } from '../language/use-say.ts';
import { useCan, useHub } from '../live/hub.tsx';
import { compareAddress, featureAddress } from '../row/addresses.ts';
import { ClientMark } from '../row/client.tsx';
import { Table } from '../ui/table.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { likelyPairs, type SortColumn, sortFeatures, useFeatureParams } from './feature-list.tsx';

interface ArchiveColumn {
	by: SortColumn;
	head: Plain;
	cell: (feature: FeatureRecord) => ReactNode;
}

const texts: readonly ArchiveColumn[] = [
	{ by: 'machine', head: 'Machine', cell: ({ machine }) => machine && <AgentText>{machine.name}</AgentText> },
	{ by: 'date', head: 'Date', cell: ({ archivedAt }) => archivedAt?.slice(0, 10) },
	{ by: 'workflow', head: 'Workflow', cell: ({ workflow }) => workflow && <AgentText>{workflow}</AgentText> },
];

const counted = (kind: 'denied-calls' | 'overridden', count: number | undefined, spans?: readonly string[]) =>
	count === undefined ? undefined : <LedgerCount count={count} kind={kind} spans={spans} />;

const numbers: readonly ArchiveColumn[] = [
	{
		by: 'duration',
		head: 'Duration',
		cell: ({ outcome, sessions }) => (outcome && sessions.length > 0 ? spanDuration(workMs(outcome)) : undefined),
	},
	{ by: 'retries', head: 'Retries', cell: ({ outcome }) => outcome?.retries },
	{
		by: 'pass1',
		head: 'pass@1',
		cell: ({ outcome }) => (outcome && outcome.passAt1 !== null ? `${Math.round(outcome.passAt1 * 100)} %` : undefined),
	},
	{
		by: 'denials',
		head: 'Denials',
		cell: ({ outcome }) => counted('denied-calls', outcome?.denials, outcome?.spans),
	},
	{
		by: 'overrides',
		head: 'Overrides',
		cell: ({ outcome }) => counted('overridden', outcome?.overrides, outcome?.spans),
	},
	{
		by: 'tokens',
		head: 'Tokens#model',
		cell: ({ outcome }) => outcome?.usage && tokenNumber(tokensOf(outcome.usage)),
	},
	{ by: 'cost', head: 'Cost', cell: ({ outcome }) => outcome?.usage && costOfAll(outcome.usage) },
];

const COUNTED: Plain =
	'What is counted happened in a feature’s sessions from when each took it up until it was archived. pass@1 is the share of stages that passed at their first attempt, by a verdict that was spoken.';

/** The name stays in sight while the rest scrolls below it on narrow screens. */
const STAYS = 'max-md:sticky max-md:left-0 max-md:bg-surface';

export function ArchiveTable({ features: all }: { features: readonly FeatureRecord[] }) {
	const say = useSay();
	const [{ sort, down }, setParams] = useFeatureParams();
	const features = sortFeatures(all, sort, down);
	const [pair] = likelyPairs(all);
	const canCompare = useCan('compare');
	// The ledger's archived lines belong to each machine.
	const isHub = useHub();
	const sortable = (by: SortColumn) => ({
		key: by,
		sorted: by === sort && (down ? ('descending' as const) : ('ascending' as const)),
		onSort: () => void setParams({ sort: by, down: by === sort ? !down : true }),
	});
	return (
		<section aria-label={say('Archive')}>
			<div className="flex flex-wrap items-center gap-x-4 pb-1">
				<h2 className="mr-auto font-semibold text-muted text-small uppercase tracking-wide">
					{say('Archive')} <span className="font-normal">{features.length}</span>
				</h2>
				{!isHub && features.length > 0 && (
					<TextLink href="/decisions?kind=overridden&followed=true">{say('Every override in them')}</TextLink>
				)}
				{canCompare && features.length > 1 && (
					<TextLink href={pair ? compareAddress(pair[0].id, pair[1].id) : '/compare'}>
						{say('Compare two of them')}
					</TextLink>
				)}
			</div>
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
						...texts
							.filter(({ by }) => isHub || by !== 'machine')
							.map(({ by, head, cell }) => ({
								...sortable(by),
								head: say(head),
								cell: (one: FeatureRecord) => cell(one) ?? '–',
							})),
						...numbers.map(({ by, head, cell }) => ({
							...sortable(by),
							head: say(head),
							isNumber: true,
							cell: (one: FeatureRecord) => cell(one) ?? '–',
						})),
					]}
				/>
			)}
			{features.length > 0 && <p className="pt-1 text-muted text-small">{say(COUNTED)}</p>}
		</section>
	);
}

function FeatureName({ feature: { id, name, project, makes } }: { feature: FeatureRecord }) {
	return (
		<>
			<Link href={featureAddress(id)} prefetch={false} className="font-medium hover:underline">
				<AgentText>{name}</AgentText>
			</Link>{' '}
			<AgentText className="text-muted">{project}</AgentText>
			{makes.map((client) => (
				<ClientMark key={client} client={client} className="ml-1 inline-block align-middle" />
			))}
		</>
	);
}
