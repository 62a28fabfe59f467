import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import { joinDecisions } from '#lib/gates/gate.ts';
import { afterStop, isDriven, markTask, type TaskMark } from '#lib/routing/routing-state.ts';
import { addSighting, decay, inheritHabits, type Sighting } from '#lib/workflow/observation.ts';
import type { HookRequest } from '../ports/ports.ts';
import { draftPlan } from './draft-events.ts';
import { findPlan, PLAN_PATH } from './facts.ts';

/** Everything that a hook may change in a project or in a session's files, beside recording events. */
export type Effect =
	/** An agent began or ended its task of a driven plan. */
	| { does: 'mark-task'; agent: string; mark: TaskMark }
	/** A stop was refused because of a plan, or the plan is over. */
	| { does: 'count-stop'; end: 'retry' | 'completed' | 'failed' }
	/** Makes a plan, unless the file no longer contains `replaces`; `says` is then the answer. */
	| { does: 'make-plan'; replaces: string | null; text: string; answer: HookDecision }
	| { does: 'write-handoff'; from: string; to: string; text: string }
	| { does: 'tick-box'; feature: string; label: string }
	| { does: 'archive-feature'; feature: string }
	| { does: 'make-folders' }
	| { does: 'note-sighting'; seen: Sighting }
	/** The session adopts habits of other sessions, and drops those not seen for long. */
	| { does: 'begin-habits'; others: readonly Observation[] }
	/** The agent was shown these habits, by their ids. */
	| { does: 'mark-shown'; ids: readonly string[] };

/** The results of effects: their events, what is added to the agent's answer, and the first failure. */
export interface Performed {
	events: DraftEvent[];
	decision: HookDecision | null;
	failure?: unknown;
}

/** Performs the effects of a ruling, in order; no other module does. One that fails does not stop the others. */
export function performEffects(effects: readonly Effect[], request: HookRequest): Performed {
	const performed: Performed = { events: [], decision: null };
	for (const effect of effects) {
		try {
			const { events = [], decision = null } = perform(effect, request) ?? {};
			performed.events.push(...events);
			performed.decision = joinDecisions(performed.decision, decision);
		} catch (failure) {
			performed.failure ??= failure;
		}
	}
	return performed;
}

function perform(effect: Effect, request: HookRequest): Partial<Performed> | undefined {
	const { hook, root, ports } = request;
	const { sessionId } = hook;
	const now = ports.now();
	const at = new Date(now).toISOString();
	switch (effect.does) {
		case 'mark-task':
			return editPlan(request, (text) =>
				text !== null && isDriven(text) ? markTask(text, effect.agent, effect.mark, at) : null,
			);
		case 'count-stop':
			return editPlan(request, (text) => (text === null ? null : afterStop(text, effect.end, at)));
		case 'make-plan': {
			const made = editPlan(request, (text) => (text === effect.replaces ? effect.text : null));
			return made && { ...made, decision: effect.answer };
		}
		case 'write-handoff': {
			const { from, to, text } = effect;
			const path = ports.sessionFiles.writeHandoff(sessionId, `${from}-to-${to}`, text);
			return { events: [{ type: 'handoff:create', from, to, path }] };
		}
		case 'tick-box':
			ports.features.tick(root, effect.feature, effect.label);
			return;
		case 'archive-feature': {
			const done = ports.features.archive(root, effect.feature, sessionId);
			if (done.ok) return;
			const message = `${effect.feature} was not archived: ${done.detail}`;
			return { events: [{ type: 'system:warning', code: 'feature/not-archived', message }] };
		}
		case 'make-folders':
			ports.sessionFiles.prepare(sessionId);
			return;
		case 'note-sighting': {
			const nonce = ports.digest(JSON.stringify([sessionId, now, effect.seen])).slice(0, 4);
			const freshId = `inst_${now.toString(36)}_${nonce}`;
			return observe(request, (known) => addSighting(known, { ...effect.seen, project: root }, { at, freshId }));
		}
		case 'begin-habits':
			return observe(request, (known) => decay(inheritHabits(known, effect.others, root), now));
		case 'mark-shown':
			return observe(request, (known) =>
				known.map((one) => (effect.ids.includes(one.id) ? { ...one, toldAt: at } : one)),
			);
	}
}

function observe({ hook, ports }: HookRequest, change: (known: Observation[]) => Observation[]): undefined {
	ports.sessionFiles.observe(hook.sessionId, change);
}

/** Records the plan's new content; undefined if it was not changed. */
function editPlan({ hook, root, ports }: HookRequest, change: (text: string | null) => string | null) {
	const changed = ports.editProjectFile(root, PLAN_PATH, change);
	return changed ? { events: draftPlan(hook, findPlan(root, ports), ports) } : undefined;
}
