import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import { editsOfCall } from '#lib/agents/file-edits.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { IndexedEvent, SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { canonicalJson, isJson } from '#lib/json/json.ts';
import { isCallOpen } from '#lib/session/call.ts';
import { isActing } from '#lib/session/fold-head.ts';
import type { TailStore } from '../timeline/store/index-store.ts';
import type { TailBatch } from '../timeline/tail/session-reader.ts';
import type { ApprovalService } from './approval-service.ts';

interface PairingOptions {
	viewOf: (sessionId: string) => SessionView | undefined;
	index: Pick<TailStore, 'events'>;
}

type CallEvent = Parameters<typeof editsOfCall>[0];

/** How to match a prompt with its call, best first. Copilot CLI's prompts omit parts of the input. */
const likenesses: readonly ((prompt: CallEvent, call: CallEvent) => boolean)[] = [
	(prompt, call) => prompt.tool === call.tool && canonicalJson(prompt.input) === canonicalJson(call.input),
	(prompt, call) => prompt.tool === call.tool && isPartOf(prompt.input, call.input),
	(prompt, call) => {
		const paths = (event: CallEvent) => canonicalJson(editsOfCall(event).map(({ path }) => path));
		return editsOfCall(prompt).length > 0 && paths(prompt) === paths(call);
	},
];

function isPartOf(part: unknown, whole: unknown): boolean {
	if (!isJson(part) || !isJson(whole)) return false;
	const fields = Object.entries(part);
	return fields.length > 0 && fields.every(([name, value]) => canonicalJson(value) === canonicalJson(whole[name]));
}

/** The newest open call of the same actor that fits a permission prompt, which names none. */
export function pairPrompt(held: DeniedCall, { viewOf, index }: PairingOptions): string | undefined {
	const { sessionId, agentId, tool, input, hook } = held;
	const does = 'call' in hook ? hook.call.deed.does : undefined;
	const open = viewOf(sessionId)?.calls.filter((call) => call.agentId === agentId && isCallOpen(call));
	const newest = [...(open ?? [])].sort((a, b) => b.seq - a.seq);
	const calls = newest.flatMap(({ toolUseId }) =>
		index.events(sessionId, { after: 0, limit: 100, row: `call:${toolUseId}` }).flatMap((event) => {
			return isKnown(event) && event.type === 'tool:call' ? [{ toolUseId, event }] : [];
		}),
	);
	for (const isLike of likenesses) {
		const found = calls.find(({ event }) => isLike({ tool, input, does }, event));
		if (found) return found.toolUseId;
	}
	return undefined;
}

/** Closes permission prompts that were answered in the terminal, or whose session ended. */
export function watchPrompts(
	onBatch: (listener: (batch: TailBatch) => void) => () => void,
	service: Pick<ApprovalService, 'actorMoved'>,
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
			service.actorMoved(sessionId, agentId, { at: ts, why }).catch(failed);
		}
	});
}
