import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { featureEvent } from './feature-event.ts';
import type { FeatureOutcome, FeaturePorts } from './feature-ports.ts';
import { type Moved, undoneUnless } from './move-feature.ts';

/**
 * Tells each session of a feature that it was paused or resumed; `_home` where none is known. Gives the outcome on, of
 * which a refusal tells nothing. Throws where nobody can be told; the feature of `root` lies then where it was.
 */
export function tellMove(
	type: 'specs:pause' | 'specs:resume',
	root: string,
	outcome: FeatureOutcome<Moved>,
	sessions: readonly string[],
	world: FeaturePorts,
): FeatureOutcome<Moved> {
	if (!outcome.ok) return outcome;
	const fields = { featureName: outcome.feature, featurePath: outcome.path };
	const tell = (sessionId: string) => world.append(sessionId, [featureEvent(type, sessionId, world.now(), fields)]);
	const [first = HOME_SESSION, ...others] = sessions;
	undoneUnless(root, outcome, () => tell(first));
	for (const sessionId of others) tell(sessionId);
	return outcome;
}
