import type { GrantScope } from '#lib/contract/catalogue/approval.ts';
import type { GrantPreview } from '#lib/contract/grants.ts';
import { matchedCalls } from '#lib/grants/preview.ts';
import type { IndexStore } from '../store/index-store.ts';
import type { GrantSubject } from './grant-subject.ts';

const REACH = 5000;
const SHOWN = 50;

/** What a grant would let run: in words, and every recorded call that it would have overridden, the newest first. */
export function grantPreview(
	{ place: { sessionId }, covers }: GrantSubject,
	scope: GrantScope,
	index: Pick<IndexStore, 'denials' | 'row' | 'view'>,
): GrantPreview {
	const denials = index.denials(REACH);
	const matched = matchedCalls(denials, { scope, sessionId, covers });
	const calls = matched.slice(0, SHOWN).map((call) => {
		const title = call.toolUseId && index.row(call.sessionId, `call:${call.toolUseId}`)?.call?.title;
		const project = index.view(call.sessionId)?.project;
		return { ...call, title: title ?? '', ...(project !== undefined && { project }) };
	});
	return { words: covers.map(({ words }) => words), calls, count: matched.length, more: denials.length === REACH };
}
