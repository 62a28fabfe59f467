'use client';
import { useState } from 'react';
import { shortAccess } from '#lib/approvals/decider-words.ts';
import type { SignInLine } from '#lib/contract/hub-people.ts';
import type { Plain } from '#lib/messages/say.ts';
import { clockOrDate, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { AgentText } from '../text/agent-text.tsx';
import { Button } from '../ui/button.tsx';

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

/** One sign-in or token: whose, from which browser, since when. It ends at the second press, since that cannot be undone. */
export function SignInRow({ entry, onChange }: SignInRowProps) {
	const say = useSay();
	const now = useNow();
	const [isAsked, setAsked] = useState(false);
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const { id, who, name, via, since, until, seenAt, mine } = entry;
	const day = (at: string) => clockOrDate(at, now, say.language);

	async function act() {
		if (!isAsked) return setAsked(true);
		setBusy(true);
		const answer = await callRoute('POST /api/hub/sign-ins/:id', { params: { id }, body: { action: 'revoke' } });
		setBusy(false);
		setAsked(false);
		if (answer.ok) onChange(answer.data.entries);
		else setRefusal(answer.message);
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
			{refusal && (
				<span role="alert" className="text-warn">
					{say.known(refusal)}
				</span>
			)}
			<Button
				size="small"
				kind={isAsked ? 'danger' : 'plain'}
				disabled={isBusy}
				aria-label={isAsked ? undefined : say('Revoke {name} of {who}', { name, who })}
				onClick={() => void act()}
			>
				{isAsked ? (mine ? say('Sign out here for good') : say('Revoke for good')) : say('Revoke')}
			</Button>
		</li>
	);
}
