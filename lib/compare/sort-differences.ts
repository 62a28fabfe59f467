import type { Difference } from '../contract/archives/compare.ts';

export const sortings = ['group', 'size', 'name'] as const;
export type Sorting = (typeof sortings)[number];

/** Sorts the rows. By group keeps the given order; by size breaks ties by the absolute difference. */
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

const distance = ({ a, b }: Difference) => Math.abs((a ?? 0) - (b ?? 0));
