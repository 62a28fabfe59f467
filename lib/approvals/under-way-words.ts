import type { Decision } from '../contract/events/catalogue/approval.ts';
import type { DecisionUnderWay } from '../contract/hub/hub-decision.ts';
import { type MessageKey, tell } from '../messages/tell.ts';

const words = {
	approve: '{name} has approved it: {machine} has not answered yet.',
	deny: '{name} has denied it: {machine} has not answered yet.',
	answer: '{name} has answered it: {machine} has not answered yet.',
} as const satisfies Record<Decision, MessageKey>;

/** Who has decided at a hub, and that it waits for the machine. */
export const underWayWords = ({ decision, name, machine }: DecisionUnderWay): string =>
	tell(words[decision], { name, machine });

/** The same for who decides after that. */
export const tooLateWords = (before: DecisionUnderWay): string =>
	tell('{before} Nothing of yours was sent.', { before: underWayWords(before) });
