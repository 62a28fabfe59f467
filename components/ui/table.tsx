import type { ReactNode } from 'react';
import { cn } from './cn.ts';

export interface Column<Row> {
	key: string;
	head: ReactNode;
	cell: (row: Row, at: number) => ReactNode;
	isNumber?: boolean;
	/** The cell is the row's header. */
	isRowHead?: boolean;
	className?: string | undefined;
	cellClassName?: string;
	/** Sort direction of the rows by this column; false if sortable but not sorted. */
	sorted?: 'ascending' | 'descending' | false;
	onSort?: () => void;
}

interface TableProps<Row> {
	columns: readonly Column<Row>[];
	rows: readonly Row[];
	keyOf: (row: Row) => string;
	caption?: string;
	/** May be wider than its container, and scrolls inside it. */
	isWide?: boolean;
	className?: string;
	rowClassName?: string;
}

/** `caption` is for screen readers. A wide table scrolls by itself, not the page. */
export function Table<Row>(props: TableProps<Row>) {
	const { columns, rows, keyOf, caption, isWide = false, className, rowClassName } = props;
	const table = (
		<table className={cn('w-full border-collapse text-left', isWide && 'whitespace-nowrap', className)}>
			{caption && <caption className="sr-only">{caption}</caption>}
			<thead>
				<tr className="text-muted text-small">
					{columns.map(({ key, head, isNumber, className: own, sorted, onSort }) => (
						<th
							key={key}
							scope="col"
							aria-sort={sorted || undefined}
							className={cn('px-2 py-1 font-normal', isNumber && 'text-right', own)}
						>
							{onSort ? (
								<button
									type="button"
									onClick={onSort}
									className={cn('min-h-6 hover:text-text pointer-coarse:min-h-10', sorted && 'text-text')}
								>
									{head}
									<span aria-hidden> {sorted ? (sorted === 'descending' ? '↓' : '↑') : ''}</span>
								</button>
							) : (
								head
							)}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{rows.map((row, index) => (
					<tr key={keyOf(row)} className={cn('h-7 border-line border-t', rowClassName)}>
						{columns.map(({ key, cell, isNumber, isRowHead, className: own, cellClassName }) => {
							const Cell = isRowHead ? 'th' : 'td';
							return (
								<Cell
									key={key}
									scope={isRowHead ? 'row' : undefined}
									className={cn('px-2 py-1 font-normal', isNumber && 'text-right tabular-nums', own, cellClassName)}
								>
									{cell(row, index)}
								</Cell>
							);
						})}
					</tr>
				))}
			</tbody>
		</table>
	);
	if (!isWide) return table;
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
		<div tabIndex={0} className="scroll-hint overflow-auto">
			{table}
		</div>
	);
}
