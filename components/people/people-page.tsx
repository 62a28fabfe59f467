'use client';
import { parseAsInteger, useQueryState } from 'nuqs';
import { useState } from 'react';
import type { HubPeople, PersonLine, SignInLine } from '#lib/contract/hub/hub-people.ts';
import { mayAnywhere } from '#lib/hub/may.ts';
import { rolesByScope } from '#lib/hub/role-words.ts';
import type { Plain } from '#lib/messages/say.ts';
import { clockOrDate } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { useLive } from '../live/store.ts';
import { useRoute } from '../live/use-answer.ts';
import { Alert, AnswerPending, StaleNote } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { ColumnHeads } from '../ui/column-heads.tsx';
import { CommandBox, CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Part } from '../ui/part.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { Toned } from '../ui/tone.tsx';
import { type RowProps, useRoving } from '../ui/use-roving.ts';
import { When } from '../ui/when.tsx';
import { AccessFacts, RevocableLine, Tag } from './access/revocable-line.tsx';
import { AddPasskey, MakeByName } from './make-by-name.tsx';
import { PersonDialog } from './person-dialog.tsx';

const REFRESH_MS = 10_000;

export function PeoplePage() {
	const say = useSay();
	const isAdmin = useLive(({ me }) => mayAnywhere(me?.hub?.roles ?? [], 'people'));
	return (
		<Page
			title={isAdmin ? say('People') : say('Your sign-ins')}
			about={
				isAdmin &&
				say('People with access, or who asked. A role lets a person in: everywhere, in a team or in one project.')
			}
			aside={isAdmin && <Invite />}
		>
			{isAdmin && <People />}
			<SignInList />
			<PasskeyList />
		</Page>
	);
}

function People() {
	const say = useSay();
	const { data, error, reload } = useRoute('GET /api/hub/people', {}, { everyMs: REFRESH_MS });
	const { listRef, rowProps } = useRoving();
	const [opened, setOpened] = useQueryState('person', parseAsInteger);
	if (!data) return <AnswerPending label={say('People are loading')} error={error} />;
	const person = data.people.find(({ id }) => id === opened);
	return (
		<section aria-label={say('People')}>
			<StaleNote error={error} />
			{data.full.map(({ team, leftOut }) => (
				<p key={team} role="status" className="pb-2 text-warn">
					{say(
						'The roster of {team} is full: {count} signed {count:passkey has|passkeys have} no room in it, the newest, and {count:decides|decide} at no machine there. Take roles or passkeys from those who decide there no more.',
						{ team, count: leftOut },
					)}
				</p>
			))}
			<div className="@container">
				<ColumnHeads names={HEADS} className={cn(COLUMNS, 'hidden @min-[640px]:grid [&>:last-child]:text-right')} />
				<ul ref={listRef} className="border-line border-t">
					{data.people.map((one, index) => (
						<PersonRow
							key={one.id}
							person={one}
							teams={data.teams}
							rowProps={rowProps(String(one.id), index === 0)}
							onOpen={() => void setOpened(one.id)}
						/>
					))}
				</ul>
			</div>
			{person && (
				<PersonDialog
					key={person.id}
					person={person}
					teams={data.teams}
					everywhere={data.everywhere}
					onChange={reload}
					onClose={() => void setOpened(null)}
				/>
			)}
		</section>
	);
}

/** How somebody new gets in: there are no invitations, so it says what to send and what to do then. */
function Invite() {
	const say = useSay();
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<Button kind="primary" className="ml-auto" onClick={() => setOpen(true)}>
				{say('Invite')}
			</Button>
			{isOpen && (
				<Dialog title={say('Invite somebody')} onClose={() => setOpen(false)}>
					<div className="flex flex-col gap-3 p-4">
						<p>{say('Send this address. After signing in, the person is listed here.')}</p>
						<CommandBox>{location.origin}</CommandBox>
						<p className="text-muted">{say('Nobody gets in without a role: open the person here and give one.')}</p>
					</div>
				</Dialog>
			)}
		</>
	);
}

const HEADS = ['Name', 'Roles', 'Last seen'] as const;
const COLUMNS =
	'grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 @min-[640px]:grid-cols-[minmax(0,2fr)_minmax(0,3fr)_6rem]';

interface PersonRowProps {
	person: PersonLine;
	teams: HubPeople['teams'];
	rowProps: RowProps;
	onOpen: () => void;
}

function PersonRow({ person, teams, rowProps, onOpen }: PersonRowProps) {
	const say = useSay();
	const { name, email, roles, disabled, seenAt, mine: isReader } = person;
	return (
		<li>
			<button
				{...rowProps}
				type="button"
				onClick={onOpen}
				className={cn(
					COLUMNS,
					'min-h-9 w-full border-line border-b py-1 text-left hover:bg-hover pointer-coarse:min-h-11',
				)}
			>
				<span className="col-start-1 row-start-1 flex min-w-0 flex-wrap items-baseline gap-x-2">
					<AgentText className={cn('min-w-0 truncate font-medium', disabled && 'text-muted line-through')}>
						{name}
					</AgentText>
					{isReader && <Tag>{say('you')}</Tag>}
					{email && <AgentText className="min-w-0 truncate text-muted text-small">{email}</AgentText>}
				</span>
				<span className="col-span-2 col-start-1 row-start-2 min-w-0 @min-[640px]:col-span-1 @min-[640px]:col-start-2 @min-[640px]:row-start-1">
					{disabled ? (
						<Toned tone="err">{say('switched off')}</Toned>
					) : roles.length === 0 ? (
						<Toned tone="warn">{say('no role: does not get in')}</Toned>
					) : (
						<AgentText className="text-muted">{rolesByScope(roles, teams, say)}</AgentText>
					)}
				</span>
				<span className="col-start-2 row-start-1 text-right text-muted @min-[640px]:col-start-3">
					<span className="sr-only">{say('Last seen')} </span>
					{seenAt === null ? say('never') : <When at={seenAt} />}
				</span>
			</button>
		</li>
	);
}

function PasskeyList() {
	const say = useSay();
	const { data, error, reload } = useRoute('GET /api/hub/passkeys', {});
	return (
		<Part
			title={say('Your passkeys')}
			note={say('You confirm with one when you let somebody in, give a role, or sign in as an admin.')}
			aside={
				data && (
					<AddPasskey
						requestOptions={() => callRoute('POST /api/hub/passkeys/options', { body: {} })}
						register={(body) => callRoute('POST /api/hub/passkeys', { body })}
						onMade={reload}
					/>
				)
			}
		>
			<Alert>{error}</Alert>
			<ul className="border-line border-t empty:hidden">
				{data?.passkeys.map(({ id, label, since }) => (
					<RevocableLine
						key={id}
						name={say('Revoke {name}', { name: label })}
						sure={say('Revoke for good')}
						onRevoke={() => callRoute('POST /api/hub/passkeys/:id', { params: { id }, body: { action: 'revoke' } })}
						onDone={reload}
					>
						<AccessFacts id={id} name={label} since={since} />
					</RevocableLine>
				))}
			</ul>
		</Part>
	);
}

const SOME = 50;

function SignInList() {
	const say = useSay();
	const { data, error, reload } = useRoute('GET /api/hub/sign-ins', {}, { everyMs: REFRESH_MS });
	const [isAll, setAll] = useState(false);
	const entries = data?.entries ?? [];
	const shown = isAll ? entries : entries.slice(0, SOME);
	const more = entries.length - shown.length;
	return (
		<Part title={say('Sign-ins and tokens')} aside={<NewToken onMade={reload} />}>
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
		</Part>
	);
}

const ways: Record<SignInLine['via'], Plain> = {
	oidc: 'signed in by the identity provider',
	passkey: 'signed in by a passkey',
	link: 'signed in by a link',
	token: 'token',
};

function SignInRow({ entry, onChange }: { entry: SignInLine; onChange: () => void }) {
	const say = useSay();
	const { id, who, name, via, since, until, seenAt, mine: isCurrent } = entry;
	return (
		<RevocableLine
			name={say('Revoke {name} of {who}', { name, who })}
			label={isCurrent ? say('Sign out here') : undefined}
			sure={isCurrent ? say('Sign out here for good') : say('Revoke for good')}
			onRevoke={() => callRoute('POST /api/hub/sign-ins/:id', { params: { id }, body: { action: 'revoke' } })}
			onDone={onChange}
		>
			<AccessFacts
				{...{ id, since, until, usedAt: seenAt, isCurrent }}
				name={name}
				about={
					<>
						<AgentText>{who}</AgentText>, {say(ways[via])}
					</>
				}
			/>
		</RevocableLine>
	);
}

function NewToken({ onMade }: { onMade: () => void }) {
	const say = useSay();
	const now = useNow();
	const [made, setMade] = useState<{ token: string; until: string } | null>(null);
	return (
		<MakeByName
			openLabel={say('Make a token for a tool')}
			makeLabel={say('Make the token')}
			nameLabel={say('What the tool is called')}
			maxLength={80}
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
