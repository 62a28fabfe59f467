import { canonicalJson } from '#hooks-bridge/engine/canonical-json.ts';
import type { HeldCall } from '#hooks-bridge/engine/ports.ts';
import { isKnown } from '#lib/contract/is-known.ts';
import { isCallOpen } from '#lib/session/fold-call.ts';
import { isActing } from '#lib/session/fold-head.ts';
import type { IndexedEvent, SessionView } from '#lib/session/view.ts';
import type { TailStore } from '../store/index-store.ts';
import type { TailBatch } from '../tail/tail-batch.ts';
import type { ApprovalDesk } from './approval-desk.ts';

interface PairingOptions {
	viewOf: (sessionId: string) => SessionView | undefined;
	index: Pick<TailStore, 'events'>;
}

/**
 * The call that a permission prompt is about: the newest open one of the same actor with the same tool and input. The
 * prompt itself names none. Undefined where none is found; then the prompt stands for itself.
 */
export function pairPrompt(held: HeldCall, { viewOf, index }: PairingOptions): string | undefined {
	const { sessionId, agentId, tool, input } = held;
	const wanted = canonicalJson(input);
	const open = viewOf(sessionId)?.calls.filter(
		(call) => call.tool === tool && call.agentId === agentId && isCallOpen(call),
	);
	const newest = [...(open ?? [])].sort((a, b) => b.seq - a.seq);
	return newest.find(({ toolUseId }) =>
		index
			.events(sessionId, { after: 0, limit: 100, row: `call:${toolUseId}` })
			.some((event) => isKnown(event) && event.type === 'tool:call' && canonicalJson(event.input) === wanted),
	)?.toolUseId;
}

/** Closes permission prompts whose actor went on, as it does once they are answered in the terminal, or whose session ended. */
export function watchPrompts(
	onBatch: (listener: (batch: TailBatch) => void) => () => void,
	desk: Pick<ApprovalDesk, 'actorMoved'>,
	failed: (error: unknown) => void,
): () => void {
	return onBatch(({ sessionId, events }) => {
		const last = new Map<string | undefined, IndexedEvent>();
		for (const event of events) {
			if (!isActing(event) || /^(?:approval|grant):/.test(event.type)) continue;
			if ((last.get(event.agentId)?.ts ?? '') < event.ts) last.set(event.agentId, event);
		}
		for (const [agentId, { ts, type }] of last) {
			const why = type === 'session:end' ? 'the session ended' : 'it was answered in the terminal';
			desk.actorMoved(sessionId, agentId, { at: ts, why }).catch(failed);
		}
	});
}
