import type { PlanRest } from '../../routing/plan-progress.ts';

/** What the gate looks at when the main agent wants to stop. */
export interface CompletionFacts extends PlanRest {
	/** Sub-agents that still work behind the turn. */
	running: number;
	/** The agent said that the plan is complete, in the words that vibe-engine asks for. */
	declared: boolean;
}
