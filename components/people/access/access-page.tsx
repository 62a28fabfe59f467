'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { deciderWords, shortAccess } from '#lib/approvals/call-words.ts';
import type { AccessEntry, EndedAccess } from '#lib/contract/access/access.ts';
import type { Plain } from '#lib/messages/say.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { HubGrants } from '../../approvals/grants/active-grants.tsx';
import { useGrants } from '../../approvals/grants/use-grants.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { useNow } from '../../live/now.ts';
import { useLive } from '../../live/store.ts';
import { useRoute } from '../../live/use-answer.ts';
import { AnswerPending } from '../../ui/answer-state.tsx';
import { Page } from '../../ui/page.tsx';
import { Part } from '../../ui/part.tsx';
import { Advice } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AddPasskey } from '../make-by-name.tsx';
import { AccessFacts, bringIntoView, RevocableLine } from './revocable-line.tsx';

const words = {
	passkey: {
		title: 'Passkeys',
		none: 'None yet: any operator’s sign-in or token can approve calls. With a passkey, only you can.',
	},
	'sign-in': { title: 'Sign-ins', none: 'None.' },
	token: { title: 'Tokens', none: 'None. `signalbox token create --role viewer --name NAME` makes one.' },
} as const satisfies Record<AccessEntry['kind'], { title: Plain; none: Plain }>;
const kinds = ['passkey', 'sign-in', 'token'] as const;

export function AccessPage() {
	const say = useSay();
	const role = useLive(({ me }) => me?.role);
	const [person] = useQueryState('who', parseAsString);
	const who = person && /^[0-9a-f]{8,16}$/.test(person) ? person : undefined;
	const { data, error, reload } = useRoute('GET /api/access', role === 'operator' ? { query: { who } } : null);

	if (role !== undefined && role !== 'operator') {
		return <p className="mx-auto max-w-3xl p-4 text-muted">{say('Only an operator sees who may come in.')}</p>;
	}
	if (!data) return <AnswerPending label={say('Access is loading')} error={error} />;
	return (
		<Page title={say('Access')} about={say('Who may come in here, and who may decide.')}>
			{kinds.map((kind) => {
				const own = data.entries.filter((entry) => entry.kind === kind);
				return (
					<Part
						key={kind}
						title={say(words[kind].title)}
						count={own.length || undefined}
						aside={kind === 'passkey' && <NewPasskey isFirst={own.length === 0} onChange={reload} />}
					>
						{own.length === 0 && (
							<p className={kind === 'passkey' ? 'text-warn' : 'text-muted'}>
								<Advice>{say(words[kind].none)}</Advice>
							</p>
						)}
						<ul className="border-line border-t empty:hidden">
							{own.map((entry) => (
								<AccessRow
									key={entry.id}
									entry={entry}
									isAskedFor={who !== undefined && entry.id.startsWith(who)}
									onChange={reload}
								/>
							))}
						</ul>
					</Part>
				);
			})}
			<HubGrants />
			{person && <EndedList who={person} entries={data.entries} ended={data.ended ?? []} />}
		</Page>
	);
}

interface AccessRowProps {
	entry: AccessEntry;
	isAskedFor: boolean;
	onChange: () => void;
}

function AccessRow({ entry, isAskedFor, onChange }: AccessRowProps) {
	const say = useSay();
	const { id, kind, role, name, since, until, usedAt, mine: isCurrent } = entry;
	return (
		<RevocableLine
			isAskedFor={isAskedFor}
			label={isCurrent ? say('Sign out here') : undefined}
			sure={isCurrent ? say('Sign out here for good') : say('Revoke this {kind} for good', { kind: say(kind) })}
			warning={<StandingGrants id={id} kind={kind} />}
			onRevoke={() => callRoute('POST /api/access/:id', { params: { id }, body: { action: 'revoke' } })}
			onDone={onChange}
		>
			<AccessFacts
				{...{ id, since, until, usedAt, isAskedFor, isCurrent }}
				name={name ?? say('unnamed {kind}', { kind: say(kind) })}
				about={kind !== 'passkey' && role !== 'operator' && say(role)}
			/>
		</RevocableLine>
	);
}

/** Grants made by this access. They stay when it is revoked; revoking them is a separate decision. */
function StandingGrants({ id, kind }: Pick<AccessEntry, 'id' | 'kind'>) {
	const say = useSay();
	const count = useGrants('active')?.filter(({ by }) => by.access === id).length ?? 0;
	if (count === 0) return null;
	return (
		<span role="status" className="text-warn">
			<Phrase
				of="It made {overrides}, which {count:stays|stay} when this {kind} ends."
				with={{
					overrides: (
						<TextLink href="/approvals">{say('{count} active {count:override|overrides}', { count })}</TextLink>
					),
					count,
					kind: say(kind),
				}}
			/>
		</span>
	);
}

interface EndedListProps {
	who: string;
	entries: readonly AccessEntry[];
	ended: readonly EndedAccess[];
}

function EndedList({ who, entries, ended }: EndedListProps) {
	const say = useSay();
	const now = useNow();
	const isCurrent = entries.some(({ id }) => id.startsWith(who));
	if (ended.length === 0 && isCurrent) return null;
	return (
		<Part title={say('Ended')}>
			{ended.length === 0 && (
				<p className="text-muted">
					<Phrase
						of="No sign-in, token or passkey in the journal is called {name}."
						with={{ name: <AgentText>{shortAccess(who)}</AgentText> }}
					/>
				</p>
			)}
			<ul>
				{ended.map((entry) => (
					<li key={entry.id} ref={bringIntoView} aria-current className="border-line border-b bg-selected px-2 py-1">
						<AgentText className="font-medium">{entry.name ?? say(entry.role)}</AgentText>
						<code className="pl-1.5 font-mono text-mono text-muted">{shortAccess(entry.id)}</code>
						<span className="text-muted">
							, {say(entry.kind)}, {entry.name && `${say(entry.role)}, `}
							{say('since {since}', { since: clockOrDate(entry.since, now, say.language) })},{' '}
						</span>
						<EndWords entry={entry} now={now} />
					</li>
				))}
			</ul>
		</Part>
	);
}

function EndWords({ entry: { by, endedAt }, now }: { entry: EndedAccess; now: number }) {
	const say = useSay();
	const time = <time dateTime={endedAt}>{clockOrDate(endedAt, now, say.language)}</time>;
	return by ? (
		<Phrase of="revoked {time} by {who}" with={{ time, who: deciderWords(by, say) }} />
	) : (
		<Phrase of="ended {time}" with={{ time }} />
	);
}

/** The first passkey needs a code from the server's terminal. */
function NewPasskey({ isFirst, onChange }: { isFirst: boolean; onChange: () => void }) {
	const say = useSay();
	const [code, setCode] = useState('');
	return (
		<AddPasskey
			onOpen={() => (isFirst ? callRoute('POST /api/passkeys/code') : undefined)}
			requestOptions={() => callRoute('POST /api/passkeys/options', { body: { code: isFirst ? code : undefined } })}
			register={(body) => callRoute('POST /api/passkeys', { body })}
			onMade={() => {
				setCode('');
				onChange();
			}}
			fields={
				isFirst && (
					<TextField
						label={say('The code on the server’s terminal')}
						value={code}
						maxLength={20}
						placeholder="XXXX-XXXX"
						className="font-mono"
						onWrite={setCode}
					/>
				)
			}
		/>
	);
}
