import { useSay } from '../language/use-say.ts';
import { useFeatureParams } from './feature-params.ts';

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
