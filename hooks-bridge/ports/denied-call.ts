import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { Denial } from '#lib/contract/events/catalogue/approval.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { Overridden } from '#lib/grants/covers.ts';
import type { HookRun } from './hook-run.ts';

/** A denied call with everything that is needed to release it, now by a grant or later by a person. */
export interface DeniedCall {
	sessionId: string;
	agentId?: string;
	toolUseId?: string;
	tool: string;
	input: unknown;
	/** SHA-256 of the canonical (tool, input). */
	inputDigest: string;
	denials: Denial[];
	/** Every denying gate lets a person be asked. A grant may override the denials either way. */
	asksPerson: boolean;
	/** The gates' own decision, unless a person overrides it; null for none. */
	decision: HookDecision | null;
	facts: Record<string, unknown>;
	/** The client's own permission prompt: what the client suggests to allow permanently. */
	permission?: { suggestions: unknown[] };
	/** The hook that waits, for judging again at release. */
	hook: AgentHook;
	run: HookRun;
	/** A supervisor's review of `Stop` or `PreToolUse`: a person's decision is final. */
	review?: { event: string };
}

/** A judgement that only a validator with a model can make. Without it, the hook's own answer applies. */
export interface WantedAssessment {
	validator: 'spawn' | 'completion';
	/** The project's folder; empty if none is known. */
	root: string;
	decision: HookDecision | null;
	/** The hook waits for it. Then the assessor records the verdict on a start and its effects, instead of this run. */
	hookWaits: boolean;
	hook: AgentHook;
	run: HookRun;
}

/** What a person decided about a held call, or about calls like it by a grant. */
export interface PersonsDecision {
	decision: 'approve' | 'deny';
	/** A grant that existed before the call. */
	granted?: true;
	reason?: string;
	/** Replaces the call's input if the person changed it. */
	updatedInput?: Record<string, unknown>;
	/** Denials of that input beside those of the call, which the person has seen. */
	overrides?: readonly Overridden[];
	/** A denial that ends the agent's turn. */
	stop?: true;
	/** Of a permission prompt: which of the client's own suggestions to apply. */
	suggestions?: readonly number[];
}
