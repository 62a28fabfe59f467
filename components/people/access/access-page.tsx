'use client';

import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { type FormEvent, useCallback, useState } from 'react';
import { deciderWords, shortAccess } from '#lib/approvals/call-words.ts';
import type { AccessEntry, EndedAccess } from '#lib/contract/access/access.ts';
import type { Plain } from '#lib/messages/say.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { HubGrants } from '../../approvals/grants/active-grants.tsx';
import { useGrants } from '../../approvals/grants/use-grants.ts';
import { AuditLine } from '../../decisions/audit-line.tsx';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';
import { callRoute } from '../../live/call-route.ts';
import { enrolPasskey } from '../../live/enrol-passkey.ts';
import { useNow } from '../../live/now.ts';
import { useLive } from '../../live/store.ts';
import { useAnswer } from '../../live/use-answer.ts';
import { Skeleton } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { RevokeButton } from '../../ui/revoke-button.tsx';
import { Advice } from '../../ui/text/advice.tsx';
import { AgentText } from '../../ui/text/agent-text.tsx';

const words = {
	passkey: { title: 'Passkeys', none: 'None yet. With one, only its owner decides; a token cannot.' },
	'sign-in': { title: 'Sign-ins', none: 'None.' },
	token: { title: 'Tokens', none: 'None. `signalbox token create --role viewer` makes one.' },
} as const satisfies Record<AccessEntry['kind'], { title: Plain; none: Plain }>;
const kinds = ['passkey', 'sign-in', 'token'] as const;

export function AccessPage() {
	const say = useSay();
	const role = useLive(({ me }) => me?.role);
	const [person] = useQueryState('who', parseAsString);
	const who = person && /^[0-9a-f]{8,16}$/.test(person) ? person : null;
	const ask = useCallback(() => callRoute('GET /api/access', who === null ? {} : { query: { who } }), [who]);
	const { data, error, reload } = useAnswer(role === 'operator' ? ask : null);
	const [changed, setChanged] = useState<AccessEntry[] | null>(null);
	const entries = changed ?? data?.entries;

	if (role !== undefined && role !== 'operator') {
		return <p className="mx-auto max-w-3xl p-4 text-muted">{say('Only an operator sees who may come in.')}</p>;
	}
	if (!entries) {
		return error === null ? (
			<Skeleton label={say('Access is loading')} />
		) : (
			<p className="p-4 text-warn">{say.known(error)}</p>
		);
	}
	return (
		<div className="mx-auto flex max-w-3xl flex-col gap-4 p-4">
			<h1 className="font-semibold text-title">{say('Access')}</h1>
			{kinds.map((kind) => {
				const own = entries.filter((entry) => entry.kind === kind);
				return (
					<section key={kind} aria-label={say(words[kind].title)} className="flex flex-col gap-1">
						<h2 className="font-semibold text-muted text-small uppercase">{say(words[kind].title)}</h2>
						{own.length === 0 && (
							<p className="text-muted">
								<Advice>{say(words[kind].none)}</Advice>
							</p>
						)}
						<ul>
							{own.map((entry) => (
								<AccessRow
									key={entry.id}
									entry={entry}
									isAskedFor={who !== null && entry.id.startsWith(who)}
									onChange={(rest) => {
										setChanged(rest);
										reload();
									}}
								/>
							))}
						</ul>
						{kind === 'passkey' && <NewPasskey isFirst={own.length === 0} onChange={setChanged} />}
					</section>
				);
			})}
			<HubGrants />
			{person && data && <EndedList who={person} entries={data.entries} ended={data.ended ?? []} />}
			<AuditLine />
		</div>
	);
}

interface AccessRowProps {
	entry: AccessEntry;
	isAskedFor: boolean;
	onChange: (entries: AccessEntry[]) => void;
}

function AccessRow({ entry, isAskedFor, onChange }: AccessRowProps) {
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

/** Grants that this access made stay: revoking them is a decision of its own. */
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
						<Link href="/approvals" prefetch={false} className="text-accent underline">
							{say('{count} active {count:override|overrides}', { count })}
						</Link>
					),
					count,
					kind: say(kind),
				}}
			/>
		</span>
	);
}

function bringIntoView(element: HTMLElement | null): void {
	element?.scrollIntoView({ block: 'center' });
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
		<section aria-label={say('Ended')} className="flex flex-col gap-1">
			<h2 className="font-semibold text-muted text-small uppercase">{say('Ended')}</h2>
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
		</section>
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

interface NewPasskeyProps {
	isFirst: boolean;
	onChange: (entries: AccessEntry[]) => void;
}

const field = 'h-7 rounded border border-edge bg-surface px-2 placeholder:text-muted';

function NewPasskey({ isFirst, onChange }: NewPasskeyProps) {
	const say = useSay();
	const [step, setStep] = useState<'closed' | 'open' | 'busy'>('closed');
	const [name, setName] = useState('');
	const [code, setCode] = useState('');
	const [refusal, setRefusal] = useState<string | null>(null);

	async function open() {
		setRefusal(null);
		const shown = isFirst ? await callRoute('POST /api/passkeys/code') : null;
		if (shown && !shown.ok) setRefusal(shown.message);
		else setStep('open');
	}

	async function createPasskey(event: FormEvent) {
		event.preventDefault();
		setStep('busy');
		setRefusal(null);
		const body = { code: isFirst ? code : undefined };
		const answer = await enrolPasskey(callRoute('POST /api/passkeys/options', { body }), (response) =>
			callRoute('POST /api/passkeys', { body: { name: name.trim(), response } }),
		);
		if (!answer.ok) {
			setRefusal(answer.message);
			return setStep(answer.code === 'passkey/code' ? 'closed' : 'open');
		}
		setName('');
		setCode('');
		setStep('closed');
		onChange(answer.data.entries);
	}

	return (
		<div className="flex flex-col gap-2 py-1">
			{step === 'closed' ? (
				<Button className="self-start" onClick={() => void open()}>
					{say('Add a passkey')}
				</Button>
			) : (
				<form onSubmit={(event) => void createPasskey(event)} className="flex flex-wrap items-end gap-2">
					<label className="flex flex-col gap-0.5">
						<span className="text-muted">{say('Its name')}</span>
						<input
							value={name}
							onChange={({ target }) => setName(target.value)}
							maxLength={60}
							required
							placeholder={say('laptop')}
							className={field}
						/>
					</label>
					{isFirst && (
						<label className="flex flex-col gap-0.5">
							<span className="text-muted">{say('The code on the server’s terminal')}</span>
							<input
								value={code}
								onChange={({ target }) => setCode(target.value)}
								maxLength={20}
								required
								autoComplete="off"
								placeholder="XXXX-XXXX"
								className={`${field} font-mono`}
							/>
						</label>
					)}
					<Button kind="primary" type="submit" disabled={step === 'busy' || name.trim() === ''}>
						{say('Make the passkey')}
					</Button>
					<Button onClick={() => setStep('closed')}>{say('Cancel')}</Button>
				</form>
			)}
			{refusal && (
				<p role="alert" className="text-warn">
					<Advice>{refusal}</Advice>
				</p>
			)}
		</div>
	);
}
