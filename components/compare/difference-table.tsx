import { deltaWords, differenceName, groupWords, valueWords } from '#lib/compare/difference-words.ts';
import type { Difference } from '#lib/contract/archives/compare.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import type { Sorting } from './compare-params.ts';
import { sortDifferences } from './sort-differences.ts';

interface DifferenceTableProps {
	differences: readonly Difference[];
	sort: Sorting;
	isEqualShown: boolean;
	onSort: (sort: Sorting) => void;
	onShowEqual: (isShown: boolean) => void;
}

/** Every number of both runs. Sorted by size the largest difference is first; a bar and a sign say what colour would. */
export function DifferenceTable({ differences, sort, isEqualShown, onSort, onShowEqual }: DifferenceTableProps) {
	const say = useSay();
	const apart = differences.filter(({ size }) => size > 0);
	const equal = differences.length - apart.length;
	const rows = sortDifferences(isEqualShown ? differences : apart, sort);
	const heads = [
		{ by: 'group', label: say('Kind') },
		{ by: 'name', label: say('What differs') },
		{ by: null, label: say('First run') },
		{ by: null, label: say('Second run') },
		{ by: 'size', label: say('Difference') },
	] as const;
	return (
		<section aria-label={say('Differences')}>
			<div className="flex flex-wrap items-center gap-x-3">
				<h2 className="font-semibold text-muted text-small uppercase tracking-wide">
					{say('Differences')} <span className="font-normal">{apart.length}</span>
				</h2>
				{equal > 0 && (
					<Button size="small" kind="quiet" aria-pressed={isEqualShown} onClick={() => onShowEqual(!isEqualShown)}>
						{isEqualShown ? say('Hide what is equal') : say('Show {count} that are equal', { count: equal })}
					</Button>
				)}
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: on narrow screens the table scrolls and must be reachable by keyboard. */}
			<div tabIndex={0} className="scroll-hint overflow-x-auto">
				<table className="w-full whitespace-nowrap text-left">
					<thead>
						<tr className="border-line border-y">
							{heads.map(({ by, label }) => (
								<th
									key={label}
									scope="col"
									aria-sort={by === sort ? (by === 'size' ? 'descending' : 'ascending') : undefined}
									className={cn(
										'px-2 font-normal text-muted text-small',
										by === 'group' && 'max-sm:hidden',
										by !== 'group' && by !== 'name' && 'text-right',
									)}
								>
									{by === null ? (
										label
									) : (
										<button
											type="button"
											onClick={() => onSort(by)}
											className={cn('h-7 hover:text-text pointer-coarse:h-10', by === sort && 'text-text')}
										>
											{label}
											<span aria-hidden> {by === sort ? (by === 'size' ? '↓' : '↑') : ''}</span>
										</button>
									)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map((row) => (
							<Row key={`${row.group} ${row.name}`} row={row} />
						))}
					</tbody>
				</table>
			</div>
		</section>
	);
}

function Row({ row }: { row: Difference }) {
	const say = useSay();
	const { a, b, unit, size } = row;
	const isMore = (b ?? 0) > (a ?? 0);
	return (
		<tr className={cn('h-7 border-line/60 border-b hover:bg-hover', size === 0 && 'text-muted')}>
			<td className="px-2 text-muted max-sm:hidden">{say(groupWords[row.group])}</td>
			<td className="max-w-36 truncate px-2 sm:max-w-60 md:max-w-96">
				<AgentText>{differenceName(row, say)}</AgentText>
			</td>
			<td className="px-2 text-right">{valueWords(a, unit, say.language)}</td>
			<td className="px-2 text-right">{valueWords(b, unit, say.language)}</td>
			<td className="px-2 text-right">
				<span className="inline-flex items-center gap-2">
					<span aria-hidden className="flex h-2 w-16 bg-hover max-sm:hidden">
						<span
							className={cn('h-2', isMore ? 'bg-warn' : 'bg-run')}
							style={{ width: `${Math.round(size * 100)}%` }}
						/>
					</span>
					<span className="min-w-14">{deltaWords(row, say.language)}</span>
				</span>
			</td>
		</tr>
	);
}
