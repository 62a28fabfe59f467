'use client';
import { useSay } from '../../language/use-say.ts';
import { Overview } from './overview.tsx';

/** The overview as a reading of its own. */
export function OverviewTab({ sessionId }: { sessionId: string }) {
	const say = useSay();
	return (
		<section
			aria-label={say('Overview')}
			// biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
			tabIndex={0}
			className="min-h-0 flex-1 overflow-y-auto p-4"
		>
			<Overview sessionId={sessionId} isWide />
		</section>
	);
}
