'use client';
import { deciderWords } from '#lib/approvals/call-words.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { useSay } from '../../language/use-say.ts';
import { rowAddress } from '../../row/row-address.ts';
import { ListPart } from '../../ui/list-part.tsx';
import { PastLink } from '../../ui/past-link.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

const MOST = 50;

/** The tries that ran because a person had overridden a denial once, newest first; each line leads to the call. */
export function UsedGrants({ grants }: { grants: readonly GrantRecord[] }) {
	const say = useSay();
	if (grants.length === 0) return null;
	return (
		<ListPart title={say('Overrides used')}>
			{grants.slice(0, MOST).map(({ id, tool, title, reason, by, sessionId, createdAt, lastUse }) => {
				const row = lastUse?.toolUseId === undefined ? undefined : `call:${lastUse.toolUseId}`;
				return (
					<li key={id} className="border-line border-b">
						<PastLink at={lastUse?.at ?? createdAt} href={rowAddress(lastUse?.sessionId ?? sessionId, row)}>
							<AgentText className="min-w-0 truncate font-medium">{`${tool} ${title}`}</AgentText>
							<AgentText className="col-start-2 line-clamp-3 [overflow-wrap:anywhere]">
								{say('a later try ran: allowed by an operator “{reason}” ({by})', {
									reason,
									by: deciderWords(by, say),
								})}
							</AgentText>
						</PastLink>
					</li>
				);
			})}
		</ListPart>
	);
}
