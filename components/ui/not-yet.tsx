'use client';
import { useSay } from '../language/use-say.ts';
import { Skeleton } from './skeleton.tsx';

/** What stands in a page's place until its first answer; `error` says why that has not come. */
export function NotYet({ label, error }: { label: string; error: string | null }) {
	const say = useSay();
	if (error === null) return <Skeleton label={label} />;
	return (
		<p role="alert" className="p-4 text-warn">
			{say.known(error)}
		</p>
	);
}
