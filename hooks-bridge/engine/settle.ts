import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { Asked } from '../ports/ports.ts';
import { performEffects } from './perform-effects.ts';
import { reportFailure } from './refuse-input.ts';
import type { Effect, Ruling } from './ruling.ts';
import { seal } from './seal.ts';

/** What a ruling comes to beside its own decision. */
export interface Settled {
	/** What its effects let the agent know. */
	decision: HookDecision | null;
	/** Why one of them could not be performed, as one line for stderr. */
	problem?: string;
}

/**
 * Lets a ruling come true: its events are appended, and only then its effects are performed. Throws where nothing can be appended; then nothing is performed.
 */
export function settle(asked: Asked, { events, effects }: Pick<Ruling, 'events' | 'effects'>, scope?: string): Settled {
	tell(asked, events, { scope });
	return perform(asked, effects);
}

/** How something is told. */
interface Telling {
	/** Separates what is told later about the same run. */
	scope?: string;
	/** Nothing else is done of this hook: its lines may wait for those of others. */
	later?: boolean;
}

/** Appends what is told of a hook to its session's timeline. */
export function tell({ hook, run, ports }: Asked, events: readonly DraftEvent[], { scope, later }: Telling = {}): void {
	const append = (later && ports.appendLater) || ports.append;
	if (events.length > 0) append(hook.sessionId, seal(events, hook, run, ports, scope));
}

/** Performs what was ruled and is told, and tells what came of it. */
export function perform(asked: Asked, effects: readonly Effect[]): Settled {
	if (effects.length === 0) return { decision: null };
	const { hook, run, ports } = asked;
	const { events, decision, failure } = performEffects(effects, asked);
	tell(asked, events, { scope: 'effects' });
	if (failure === undefined) return { decision };
	const { problem } = reportFailure(failure, hook, run, ports);
	return { decision, ...(problem !== undefined && { problem }) };
}
