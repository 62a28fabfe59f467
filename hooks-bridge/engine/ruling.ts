import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { joinDecisions } from '#lib/gates/hook-decision.ts';
import type { TaskMark } from '#lib/routing/plan-progress.ts';
import type { Sighting } from '#lib/workflow/observation.ts';
import type { HeldCall, WantedAssessment } from '../ports/ports.ts';

/** What the engine makes of a hook before anything is done: what it is answered, what is told, and what is done then. */
export interface Ruling {
	/** Null says nothing. */
	decision: HookDecision | null;
	/** Appended to the session's timeline before anything else. */
	events: readonly DraftEvent[];
	/** Performed once the events are told, in order; none where they could not be told. */
	effects: readonly Effect[];
	/** Some gate had a say in a call: its verdict holds even where nothing can be written. */
	isJudged?: true;
	/** Why nobody could judge: the profile answers instead. */
	unjudged?: string;
	held?: HeldCall;
	assess?: WantedAssessment;
}

/** Everything that a hook may do to a project or to a session's files, beside telling. */
export type Effect =
	/** An agent began or ended its task of a plan that is carried through. */
	| { does: 'mark-task'; agent: string; mark: TaskMark }
	/** A stop was refused once more because of a plan, or the plan is over. */
	| { does: 'count-stop'; end: 'retry' | 'completed' | 'failed' }
	/** A plan is made, unless what is there is no more the text that it replaces; `says` is answered only then. */
	| { does: 'make-plan'; replaces: string | null; text: string; says: HookDecision }
	| { does: 'write-handoff'; from: string; to: string; text: string }
	| { does: 'tick-box'; feature: string; label: string }
	| { does: 'archive-feature'; feature: string }
	| { does: 'make-folders' }
	| { does: 'note-sighting'; seen: Sighting }
	/** The session takes over what others know, and forgets what nobody saw for long. */
	| { does: 'begin-habits'; others: readonly Observation[] }
	/** These habits were told to the agent, by their ids. */
	| { does: 'mark-told'; ids: readonly string[] };

/** A ruling that only tells. */
export function tellOnly(events: readonly DraftEvent[]): Ruling {
	return { decision: null, events, effects: [] };
}

/** One ruling of two: the second's events and effects come after the first's. */
export function joinRulings(one: Ruling, other: Ruling): Ruling {
	return {
		...one,
		...other,
		decision: joinDecisions(one.decision, other.decision),
		events: [...one.events, ...other.events],
		effects: [...one.effects, ...other.effects],
	};
}
