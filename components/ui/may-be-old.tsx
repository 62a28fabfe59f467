'use client';
import { useSay } from '../language/use-say.ts';

/** That a page could not be asked for again, above what it knows; nothing where it could. */
export function MayBeOld({ error }: { error: string | null }) {
	const say = useSay();
	if (error === null) return null;
	return (
		<p role="alert" className="text-warn">
			{say('{error} What is shown may be old.', { error: say.known(error) })}
		</p>
	);
}
