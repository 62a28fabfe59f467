'use client';
import { parseAsInteger, useQueryState } from 'nuqs';
import { mayAnywhere } from '#lib/hub/may.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useLive } from '../live/store.ts';
import { useAnswer } from '../live/use-answer.ts';
import { MayBeOld } from '../ui/may-be-old.tsx';
import { NotYet } from '../ui/not-yet.tsx';
import { useRoving } from '../ui/use-roving.ts';
import { PasskeyList } from './passkey-list.tsx';
import { PersonDialog } from './person-dialog.tsx';
import { PersonRow } from './person-row.tsx';
import { SignInList } from './sign-in-list.tsx';

/** People sign in while somebody looks. */
const AGAIN_MS = 10_000;
const askPeople = () => callRoute('GET /api/hub/people');

/** The people of a hub for its admins; for everybody, what lets them in. */
export function PeoplePage() {
	const say = useSay();
	const isAdmin = useLive(({ me }) => mayAnywhere(me?.hub?.roles ?? [], 'people'));
	return (
		<div className="mx-auto flex max-w-5xl flex-col gap-5 p-4 pb-8">
			<h1 className="font-semibold text-title">{isAdmin ? say('People') : say('Your sign-ins')}</h1>
			{isAdmin && <People />}
			<SignInList isAdmin={isAdmin} />
			<PasskeyList />
		</div>
	);
}

function People() {
	const say = useSay();
	const { data, error, reload } = useAnswer(askPeople, AGAIN_MS);
	const { listRef, rowProps } = useRoving();
	const [opened, setOpened] = useQueryState('person', parseAsInteger);
	if (!data) return <NotYet label={say('People are loading')} error={error} />;
	const person = data.people.find(({ id }) => id === opened);
	return (
		<section aria-label={say('People')}>
			<MayBeOld error={error} />
			<p className="pb-2 text-muted">
				{say(
					'Whoever has tried to sign in stands here. Without a role nobody gets in; a role holds everywhere, in a team or in one project.',
				)}
			</p>
			{data.full.map(({ team, leftOut }) => (
				<p key={team} role="status" className="pb-2 text-warn">
					{say(
						'The roster of {team} is full: {count} signed {count:passkey has|passkeys have} no room in it, the newest, and {count:decides|decide} at no machine there. Take roles or passkeys from those who decide there no more.',
						{ team, count: leftOut },
					)}
				</p>
			))}
			<ul ref={listRef} className="@container border-line border-t">
				{data.people.map((one, at) => (
					<PersonRow
						key={one.id}
						person={one}
						teams={data.teams}
						rowProps={rowProps(String(one.id), at === 0)}
						onOpen={() => void setOpened(one.id)}
					/>
				))}
			</ul>
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
