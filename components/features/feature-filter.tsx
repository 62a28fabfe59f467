import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useSay } from '../language/use-say.ts';
import { sortColumns } from './feature-list.ts';

/** Narrows the features of a page by a part of their name, which stands in its address. */
export function NameFilter() {
	const say = useSay();
	const [{ name }, setParams] = useFeatureParams();
	return (
		<input
			type="search"
			aria-label={say('Filter by name')}
			placeholder={say('name')}
			value={name ?? ''}
			onChange={(event) => void setParams({ name: event.target.value || null })}
			className="h-7 w-40 rounded border border-edge bg-surface px-2 placeholder:text-muted"
		/>
	);
}

const parsers = {
	project: parseAsString,
	workflow: parseAsString,
	name: parseAsString,
	sort: parseAsStringLiteral(sortColumns).withDefault('date'),
	down: parseAsBoolean.withDefault(true),
};

/** Filters and order of the features page; a copied address opens the same view. */
export function useFeatureParams() {
	return useQueryStates(parsers, { history: 'replace', scroll: false });
}
