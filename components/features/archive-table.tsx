import Link from 'next/link';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import type { Plain } from '#lib/messages/say.ts';
import { spanDuration } from '#lib/time/duration.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { LedgerCount } from '../decisions/ledger-count.tsx';
import { useSay } from '../language/use-say.ts';
import { useCan, useHub } from '../live/hub.tsx';
import { ClientMark } from '../row/client.tsx';
import { featureAddress } from '../row/addresses.ts';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import type { SortColumn } from './feature-list.ts';
import { workMs } from '#lib/features/feature-work.ts';

const columns: readonly { by: SortColumn; label: Plain; isNumber: boolean }[] = [
	{ by: 'name', label: 'Feature', isNumber: false },
	{ by: 'machine', label: 'Machine', isNumber: false },
	{ by: 'date', label: 'Date', isNumber: false },
	{ by: 'workflow', label: 'Workflow', isNumber: false },
	{ by: 'duration', label: 'Duration', isNumber: true },
	{ by: 'retries', label: 'Retries', isNumber: true },
	{ by: 'pass1', label: 'pass@1', isNumber: true },
	{ by: 'denials', label: 'Denials', isNumber: true },
	{ by: 'overrides', label: 'Overrides', isNumber: true },
	{ by: 'tokens', label: 'Tokens#model', isNumber: true },
	{ by: 'cost', label: 'Cost', isNumber: true },
];

interface ArchiveTableProps {
	features: readonly FeatureRecord[];
	sort: SortColumn;
	down: boolean;
	onSort: (column: SortColumn) => void;
}

const COUNTED: Plain =
	'What is counted happened in a feature’s sessions from when each took it up until it was archived. pass@1 is the share of stages that passed at their first attempt, by a verdict that was spoken.';

/** The name stays in sight while the rest scrolls below it on narrow screens. */
const STAYS = 'max-md:sticky max-md:left-0 max-md:bg-surface';

/** Archived features with what became of them; each opens its recording. */
export function ArchiveTable({ features, sort, down, onSort }: ArchiveTableProps) {
	const say = useSay();
	const canCompare = useCan('GET /api/compare');
	// The ledger's archived lines belong to each machine.
	const isHub = useHub();
	return (
		<section aria-label={say('Archive')}>
			<h2 className="pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				{say('Archive')} <span className="font-normal">{features.length}</span>
			</h2>
			{canCompare && features.length > 1 && (
				<Link href="/compare" className="inline-flex min-h-6 items-center text-accent underline">
					{say('Compare two archives, or see them over time')}
				</Link>
			)}
			{!isHub && features.length > 0 && (
				<Link
					href="/decisions?kind=overridden&followed=true"
					prefetch={false}
					className="ml-4 inline-flex min-h-6 items-center text-accent underline max-sm:ml-0 max-sm:flex"
				>
					{say('Ask all of them: every override, and what happened next')}
				</Link>
			)}
			{features.length > 0 && <p className="pb-1 text-muted">{say(COUNTED)}</p>}
			{features.length === 0 ? (
				<p className="text-muted">
					{say('No archived feature is here. One that is archived keeps the recordings of its sessions.')}
				</p>
			) : (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: on narrow screens the table scrolls and must be reachable by keyboard.
				<div tabIndex={0} className="scroll-hint overflow-x-auto">
					<table className="w-full whitespace-nowrap text-left">
						<thead>
							<tr className="border-line border-y">
								{columns
									.filter(({ by }) => isHub || by !== 'machine')
									.map(({ by, label, isNumber }) => (
										<th
											key={by}
											aria-sort={by === sort ? (down ? 'descending' : 'ascending') : undefined}
											className={cn('font-normal text-small', isNumber && 'text-right', by === 'name' && STAYS)}
										>
											<button
												type="button"
												onClick={() => onSort(by)}
												className={cn('h-7 px-2 text-muted hover:text-text', by === sort && 'text-text')}
											>
												{say(label)}
												<span aria-hidden> {by === sort ? (down ? '↓' : '↑') : ''}</span>
											</button>
										</th>
									))}
							</tr>
						</thead>
						<tbody>
							{features.map((feature) => (
								<ArchiveRow key={feature.id} feature={feature} />
							))}
						</tbody>
					</table>
				</div>
			)}
		</section>
	);
}

function ArchiveRow({ feature }: { feature: FeatureRecord }) {
	const { id, name, project, workflow, archivedAt, outcome, sessions, machine } = feature;
	const numbers = [
		outcome && sessions.length > 0 ? spanDuration(workMs(outcome)) : undefined,
		outcome?.retries,
		outcome && outcome.passAt1 !== null ? `${Math.round(outcome.passAt1 * 100)} %` : undefined,
		outcome && <LedgerCount key="denials" count={outcome.denials} kind="denied-calls" spans={outcome.spans} />,
		outcome && <LedgerCount key="overrides" count={outcome.overrides} kind="overridden" spans={outcome.spans} />,
		outcome?.usage && tokenNumber(tokensOf(outcome.usage)),
		outcome?.usage && costOfAll(outcome.usage),
	];
	return (
		<tr className="h-8 border-line/60 border-b hover:bg-hover">
			<td className={cn('max-w-36 truncate px-2 md:max-w-72', STAYS)}>
				<Link href={featureAddress(id)} prefetch={false} className="font-medium hover:underline">
					<AgentText>{name}</AgentText>
				</Link>{' '}
				<AgentText className="text-muted">{project}</AgentText>
				{feature.makes.map((make) => (
					<ClientMark key={make} make={make} className="ml-1 inline-block align-middle" />
				))}
			</td>
			{machine && (
				<td className="px-2">
					<AgentText>{machine.name}</AgentText>
				</td>
			)}
			<td className="px-2 text-muted">{archivedAt?.slice(0, 10) ?? '–'}</td>
			<td className="px-2">
				<AgentText>{workflow ?? '–'}</AgentText>
			</td>
			{numbers.map((value, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: the columns never move.
				<td key={at} className="px-2 text-right">
					{value ?? '–'}
				</td>
			))}
		</tr>
	);
}
