import { matchedCalls } from '#lib/approvals/grant-preview.ts';
import type { GrantPreview } from '#lib/contract/approvals/grants.ts';
import type { GrantScope } from '#lib/contract/events/catalogue/approval.ts';
import { readHubName } from '#lib/ids/session-name.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import type { GrantSubject } from './grant-subject.ts';

const REACH = 5000;
const SHOWN = 50;

/** What a grant would let run: in words, and every recorded call that it would have overridden, the newest first. */
export async function grantPreview(
	{ place: { sessionId }, covers }: GrantSubject,
	scope: GrantScope,
	reads: Pick<SessionReads, 'denials' | 'row' | 'view'>,
): Promise<GrantPreview> {
	const denials = await reads.denials(REACH);
	// A grant is one machine's, whatever others at its hub have called their projects.
	const machine = readHubName(sessionId)?.edge;
	const there = denials.filter((event) => readHubName(event.sessionId)?.edge === machine);
	const matched = matchedCalls(there, { scope, sessionId, covers });
	const calls: GrantPreview['calls'] = [];
	for (const call of matched.slice(0, SHOWN)) {
		const row = call.toolUseId ? await reads.row(call.sessionId, `call:${call.toolUseId}`) : undefined;
		const project = (await reads.view(call.sessionId))?.project;
		calls.push({ ...call, title: row?.call?.title ?? '', ...(project !== undefined && { project }) });
	}
	return { words: covers.map(({ words }) => words), calls, count: matched.length, more: denials.length === REACH };
}
