'use client';

import { useState } from 'react';
import { shortAccess } from '#lib/approvals/call-words.ts';
import type { SignInLine } from '#lib/contract/hub/hub-people.ts';
import type { Plain } from '#lib/messages/say.ts';
import { clockOrDate, dayAndTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { useRoute } from '../live/use-answer.ts';
import { Alert } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Part } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { RevocableLine } from './access/revocable-line.tsx';
import { MakeByName } from './make-by-name.tsx';

const AGAIN_MS = 10_000;
const SOME = 50;

export function SignInList() {
	const say = useSay();
	const { data, error, reload } = useRoute('GET /api/hub/sign-ins', {}, { everyMs: AGAIN_MS });
	const [isAll, setAll] = useState(false);
	const entries = data?.entries ?? [];
	const shown = isAll ? entries : entries.slice(0, SOME);
	const more = entries.length - shown.length;
	return (
		<Part title={say('Sign-ins and tokens')}>
			<Alert>{error}</Alert>
			<ul className="border-line border-t">
				{shown.map((entry) => (
					<SignInRow key={entry.id} entry={entry} onChange={reload} />
				))}
			</ul>
			{more > 0 && (
				<Button kind="quiet" size="small" className="self-start" onClick={() => setAll(true)}>
					{say('Show {count} more', { count: more })}
				</Button>
			)}
			<NewToken onMade={reload} />
		</Part>
	);
}

const ways: Record<SignInLine['via'], Plain> = {
	oidc: 'by the identity provider',
	passkey: 'by a passkey',
	link: 'by a link of the hub’s machine',
	token: 'token',
};

function SignInRow({ entry, onChange }: { entry: SignInLine; onChange: () => void }) {
	const say = useSay();
	const now = useNow();
	const { id, who, name, via, since, until, seenAt, mine } = entry;
	const day = (at: string) => clockOrDate(at, now, say.language);

	return (
		<RevocableLine
			name={say('Revoke {name} of {who}', { name, who })}
			sure={mine ? say('Sign out here for good') : say('Revoke for good')}
			onRevoke={() => callRoute('POST /api/hub/sign-ins/:id', { params: { id }, body: { action: 'revoke' } })}
			onDone={onChange}
		>
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
		</RevocableLine>
	);
}

function NewToken({ onMade }: { onMade: () => void }) {
	const say = useSay();
	const now = useNow();
	const [made, setMade] = useState<{ token: string; until: string } | null>(null);
	return (
		<MakeByName
			open={say('Make a token for a tool')}
			make={say('Make the token')}
			label={say('What the tool is called')}
			most={80}
			onOpen={() => void setMade(null)}
			onMake={(name) => callRoute('POST /api/hub/tokens', { body: { name } })}
			onMade={(token) => {
				setMade(token);
				onMade();
			}}
		>
			{made && (
				<div role="status" className="flex flex-wrap items-center gap-2">
					<code className="rounded border border-line bg-raised px-2 py-1 font-mono text-mono [overflow-wrap:anywhere]">
						{made.token}
					</code>
					<CopyButton label={say('Copy the token')} text={() => made.token} />
					<span className="text-muted">
						{say('It reads what you may read, until {time}. It is not shown again.', {
							time: clockOrDate(made.until, now, say.language),
						})}
					</span>
				</div>
			)}
		</MakeByName>
	);
}
