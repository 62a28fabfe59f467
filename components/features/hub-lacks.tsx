import type { FeatureDetail } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';

/** On a hub: the parts of an archive that only its machine has. */
export function MissingAtHub({ unshared, left, stored }: NonNullable<FeatureDetail['hub']>) {
	const say = useSay();
	const lines = [
		!stored && say('This hub has no object store: documents, handoffs and large values are at the machine alone.'),
		left > 0 &&
			say(
				'{count} {count:document or file is|documents and files are} at the machine alone: it does not share {count:it|them}, or {count:it is|they are} too large.',
				{ count: left },
			),
		unshared > 0 &&
			say('{count} {count:session of it is|sessions of it are} not shared with this hub.', { count: unshared }),
	].filter((line) => line !== false);
	return lines.map((line) => (
		<p key={line} className="border-line border-b px-4 py-1 text-muted">
			{line}
		</p>
	));
}
