import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { featureEvent } from './feature-event.ts';
import type { FeatureOutcome, FeatureWorld } from './feature-world.ts';
import type { Moved } from './move-feature.ts';

/**
 * Tells each session of a feature that it was paused or resumed; `_home` where none is known. Gives the outcome on, of
 * which a refusal tells nothing.
 */
export function tellMove(
	type: 'specs:pause' | 'specs:resume',
	outcome: FeatureOutcome<Moved>,
	sessions: readonly string[],
	world: FeatureWorld,
): FeatureOutcome<Moved> {
	if (!outcome.ok) return outcome;
	const fields = { featureName: outcome.feature, featurePath: outcome.path };
	for (const sessionId of sessions.length > 0 ? sessions : [HOME_SESSION]) {
		world.append(sessionId, [featureEvent(type, sessionId, world.now(), fields)]);
	}
	return outcome;
}
