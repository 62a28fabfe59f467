import Link from 'next/link';
import type { GrantPreview } from '#lib/contract/approvals/grants.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { useCan } from '../../live/hub.tsx';
import { useNow } from '../../live/now.ts';
import { rowAddress } from '../../row/addresses.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';

/** What a grant would let run, in words, and the recorded calls that it would have let run. */
export function PreviewList({ preview }: { preview: GrantPreview }) {
	const say = useSay();
	const now = useNow();
	const canRejudge = useCan('GET /api/rejudge');
	const { words, calls, count, more } = preview;
	return (
		<div className="flex flex-col gap-1">
			<p>
				<span className="text-muted">{say('It lets run: ')}</span>
				<AgentText className="font-medium [overflow-wrap:anywhere]">{words.join(say('; and '))}</AgentText>
			</p>
			{canRejudge && (
				<a
					href="/rejudge"
					target="_blank"
					rel="noreferrer"
					className="inline-flex min-h-6 items-center text-accent hover:underline"
				>
					{say('Try other settings on history')}
				</a>
			)}
			<details>
				<summary className="flex min-h-7 items-center text-accent">
					{more
						? say('It would have overridden {count} recorded {count:denial|denials} of the newest 5,000', { count })
						: say('It would have overridden {count} recorded {count:denial|denials}', { count })}
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
									{clockOrDate(at, now, say.language)}
								</time>
								<span className="truncate">
									<AgentText className="text-muted">{project ?? sessionId}</AgentText>{' '}
									<AgentText>{title || reason}</AgentText>
								</span>
							</Link>
						</li>
					))}
				</ul>
				{count > calls.length && (
					<p className="text-muted">{say('… and {count} more', { count: count - calls.length })}</p>
				)}
			</details>
		</div>
	);
}
