'use client';
import Link from 'next/link';
import type { GrantPreview } from '#lib/contract/grants.ts';
import { countOf } from '#lib/text/count-of.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useNow } from '../live/now.ts';
import { rowAddress } from '../row/row-address.ts';
import { AgentText } from '../text/agent-text.tsx';

/** What a grant would let run, in words, and the recorded calls that it would have let run. */
export function PreviewList({ preview }: { preview: GrantPreview }) {
	const now = useNow();
	const { words, calls, count, more } = preview;
	return (
		<div className="flex flex-col gap-1">
			<p>
				<span className="text-muted">It lets run: </span>
				<AgentText className="font-medium [overflow-wrap:anywhere]">{words.join('; and ')}</AgentText>
			</p>
			<details>
				<summary className="flex min-h-7 items-center text-accent">
					It would have overridden {countOf(count, 'recorded denial')}
					{more && ' of the newest 5,000'}
				</summary>
				<ul className="max-h-60 overflow-auto border-line border-t">
					{calls.map(({ sessionId, toolUseId, at, title, reason, project }) => (
						<li key={`${sessionId} ${toolUseId} ${at}`} className="border-line border-b">
							<Link
								prefetch={false}
								href={rowAddress(sessionId, toolUseId ? `call:${toolUseId}` : undefined)}
								className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-2 py-1 hover:bg-hover"
							>
								<time dateTime={at} className="text-muted">
									{clockOrDate(at, now)}
								</time>
								<span className="truncate">
									<AgentText className="text-muted">{project ?? sessionId}</AgentText>{' '}
									<AgentText>{title || reason}</AgentText>
								</span>
							</Link>
						</li>
					))}
				</ul>
				{count > calls.length && <p className="text-muted">… and {count - calls.length} more</p>}
			</details>
		</div>
	);
}
