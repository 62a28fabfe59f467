'use client';
import { shortAccess } from '#lib/approvals/decider-words.ts';
import type { AccessEntry } from '#lib/contract/access/access.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useNow } from '../../live/now.ts';
import { cn } from '../../ui/cn.ts';
import { RevokeButton } from '../../ui/revoke-button.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { bringIntoView } from './ended-list.tsx';
import { StandingGrants } from './standing-grants.tsx';

interface AccessRowProps {
	entry: AccessEntry;
	/** The page was opened to find this one. */
	isAskedFor: boolean;
	onChange: (entries: AccessEntry[]) => void;
}

/** One sign-in, token or passkey, and taking it away. */
export function AccessRow({ entry, isAskedFor, onChange }: AccessRowProps) {
	const say = useSay();
	const now = useNow();
	const { id, kind, role, name, since, until, mine } = entry;
	const day = (at: string) => clockOrDate(at, now, say.language);

	async function revoke() {
		const answer = await callRoute('POST /api/access/:id', { params: { id }, body: { action: 'revoke' } });
		if (!answer.ok) return answer.message;
		onChange(answer.data.entries);
		return null;
	}

	return (
		<li
			ref={isAskedFor ? bringIntoView : undefined}
			aria-current={isAskedFor || undefined}
			className={cn(
				'flex min-h-8 flex-wrap items-center gap-x-3 border-line border-b py-1',
				isAskedFor && 'bg-selected px-2',
			)}
		>
			<span className="min-w-0 flex-1">
				<AgentText className="font-medium">{name ?? say(role)}</AgentText>
				<code className="pl-1.5 font-mono text-mono text-muted">{shortAccess(id)}</code>
				<span className="text-muted">
					{name && kind === 'sign-in' && `, ${say(role)},`}{' '}
					{until
						? say('since {since}, until {until}', { since: day(since), until: day(until) })
						: say('since {since}', { since: day(since) })}
				</span>
				{mine && <span className="text-accent"> {say('this one')}</span>}
			</span>
			<RevokeButton
				sure={say('Revoke this {kind} for good', { kind: say(kind) })}
				warning={<StandingGrants id={id} kind={kind} />}
				onRevoke={revoke}
			/>
		</li>
	);
}
