'use client';
import { shortAccess } from '#lib/approvals/decider-words.ts';
import type { SignInLine } from '#lib/contract/hub/hub-people.ts';
import type { Plain } from '#lib/messages/say.ts';
import { clockOrDate, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { RevokeButton } from '../ui/revoke-button.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

/** How somebody came in. */
const ways: Record<SignInLine['via'], Plain> = {
	oidc: 'by the identity provider',
	passkey: 'by a passkey',
	link: 'by a link of the hub’s machine',
	token: 'token',
};

interface SignInRowProps {
	entry: SignInLine;
	onChange: (entries: readonly SignInLine[]) => void;
}

/** One sign-in or token: whose, from which browser, since when. */
export function SignInRow({ entry, onChange }: SignInRowProps) {
	const say = useSay();
	const now = useNow();
	const { id, who, name, via, since, until, seenAt, mine } = entry;
	const day = (at: string) => clockOrDate(at, now, say.language);

	async function revoke() {
		const answer = await callRoute('POST /api/hub/sign-ins/:id', { params: { id }, body: { action: 'revoke' } });
		if (!answer.ok) return answer.message;
		onChange(answer.data.entries);
		return null;
	}

	return (
		<li className="flex min-h-9 flex-wrap items-center gap-x-3 border-line border-b px-2 py-1">
			<span className="min-w-0 flex-1">
				<AgentText className="font-medium">{who}</AgentText>
				<code className="pl-1.5 font-mono text-mono text-muted">{shortAccess(id)}</code>
				{mine && <span className="text-accent"> {say('this one')}</span>}
				<span className="block text-muted text-small">
					<AgentText>{name}</AgentText>, {say(ways[via])}
					{', '}
					{say('since {since}, until {until}', { since: day(since), until: day(until) })}
					{', '}
					<time dateTime={seenAt} title={dayAndTime(seenAt)}>
						{say('here last {time}', { time: day(seenAt) })}
					</time>
				</span>
			</span>
			<RevokeButton
				name={say('Revoke {name} of {who}', { name, who })}
				sure={mine ? say('Sign out here for good') : say('Revoke for good')}
				onRevoke={revoke}
			/>
		</li>
	);
}
