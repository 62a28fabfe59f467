import Link from 'next/link';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { compareAddress } from '../row/compare-address.ts';
import { AgentText } from '../ui/text/agent-text.tsx';
import { likelyPairs } from './run-choices.ts';

/** What is worth comparing: features that were built more than once. */
export function LikelyPairs({ features }: { features: readonly FeatureRecord[] }) {
	const say = useSay();
	const pairs = likelyPairs(features);
	if (pairs.length === 0)
		return (
			<p role="status" className="text-muted">
				{say('No feature is archived twice yet. Any two archives or sessions can be compared; choose them above.')}
			</p>
		);
	return (
		<section aria-label={say('Built more than once')}>
			<h2 className="font-semibold text-muted text-small uppercase tracking-wide">{say('Built more than once')}</h2>
			<ul>
				{pairs.map(([first, second]) => (
					<li key={second.id} className="flex min-h-7 flex-wrap items-center gap-x-3 pointer-coarse:min-h-11">
						<Link
							href={compareAddress(first.id, second.id)}
							prefetch={false}
							className="inline-flex min-h-6 items-center font-medium text-accent underline pointer-coarse:min-h-11"
						>
							<AgentText>{second.name}</AgentText>
						</Link>
						<AgentText className="text-muted">{second.project}</AgentText>
						<span className="text-muted">
							{first.archivedAt?.slice(0, 10)} → {second.archivedAt?.slice(0, 10)}
						</span>
					</li>
				))}
			</ul>
		</section>
	);
}
