'use client';
import Link from 'next/link';
import { deciderWords } from '#lib/approvals/decider-words.ts';
import type { GrantRecord } from '#lib/contract/grants.ts';
import { addressPart } from '#lib/text/well-formed.ts';
import { clockOrDate, clockTime } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { AgentText } from '../text/agent-text.tsx';

const MOST = 50;

/** The tries that ran because a person had overridden a denial once, newest first; each line leads to the call. */
export function UsedGrants({ grants }: { grants: readonly GrantRecord[] }) {
	const now = useNow();
	if (grants.length === 0) return null;
	return (
		<section aria-labelledby="used-grants">
			<h2 id="used-grants" className="pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				Overrides used
			</h2>
			<ul className="border-line border-t">
				{grants.slice(0, MOST).map(({ id, tool, title, reason, by, sessionId, createdAt, lastUse }) => {
					const at = lastUse?.at ?? createdAt;
					const session = encodeURIComponent(lastUse?.sessionId ?? sessionId);
					const row = lastUse?.toolUseId === undefined ? '' : `?row=${addressPart(`call:${lastUse.toolUseId}`)}`;
					return (
						<li key={id} className="border-line border-b">
							<Link
								href={`/sessions/${session}${row}`}
								prefetch={false}
								className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 px-2 py-1.5 hover:bg-hover"
							>
								<time dateTime={at} title={clockTime(at)} className="text-muted">
									{clockOrDate(at, now)}
								</time>
								<AgentText className="min-w-0 truncate font-medium">{`${tool} ${title}`}</AgentText>
								<AgentText className="col-start-2 line-clamp-3 [overflow-wrap:anywhere]">
									{`a later try ran: allowed by an operator “${reason}” (${deciderWords(by)})`}
								</AgentText>
							</Link>
						</li>
					);
				})}
			</ul>
		</section>
	);
}
