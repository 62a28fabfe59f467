import type { Difference } from '#lib/contract/archives/compare.ts';
import type { Sorting } from './compare-params.ts';

/** The table's rows in an order; by group they stay as they came. By size, those of one unit go by how far apart they are. */
export function sortDifferences(rows: readonly Difference[], sort: Sorting): readonly Difference[] {
	switch (sort) {
		case 'group':
			return rows;
		case 'name':
			return rows.toSorted((one, other) => (one.name === other.name ? 0 : one.name < other.name ? -1 : 1));
		case 'size':
			return rows.toSorted((one, other) => other.size - one.size || distance(other) - distance(one));
	}
}

/** Only numbers of one unit can be told apart by it. */
const distance = ({ a, b }: Difference) => Math.abs((a ?? 0) - (b ?? 0));
