'use client';
import type { HubPeople, PersonLine } from '#lib/contract/hub/hub-people.ts';
import { endTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';
import { DetailFact } from '../ui/detail-fact.tsx';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { GiveRole } from './give-role.tsx';
import { PersonRoster } from './person-roster.tsx';
import { PersonSwitch } from './person-switch.tsx';
import { RoleList } from './role-list.tsx';
import { usePersonChange } from './use-person-change.ts';

interface PersonDialogProps {
	person: PersonLine;
	teams: HubPeople['teams'];
	/** One may give roles that hold everywhere, and switch people off. */
	everywhere: boolean;
	onChange: () => void;
	onClose: () => void;
}

/** Who somebody is, what they may, and giving and taking that. */
export function PersonDialog({ person, teams, everywhere, onChange, onClose }: PersonDialogProps) {
	const say = useSay();
	const now = useNow();
	const change = usePersonChange(person.id, onChange);
	const { name, email, from, passkeys, seenAt } = person;
	const isOwner = from === 'hub';
	return (
		<Dialog title={name} open onOpenChange={(stays) => !stays && onClose()}>
			<dl className="p-4 pb-2">
				{email && (
					<DetailFact name={say('E-mail')}>
						<AgentText>{email}</AgentText>
					</DetailFact>
				)}
				<DetailFact name={say('Known by')}>
					{isOwner ? say('a link that the hub’s own machine made') : <AgentText>{from}</AgentText>}
				</DetailFact>
				<DetailFact name={say('Here last')}>
					{seenAt === null ? say('never') : <time dateTime={seenAt}>{endTime(seenAt, now, say.language)}</time>}
				</DetailFact>
				<DetailFact name={say('Passkeys')}>{passkeys}</DetailFact>
			</dl>
			<section aria-label={say('Roles')} className="flex flex-col gap-2 border-line border-t p-4">
				<h3 className="font-semibold text-muted text-small uppercase">{say('Roles')}</h3>
				<RoleList person={person} teams={teams} isFixed={isOwner} change={change} />
				{isOwner ? (
					<p className="text-muted">{say('Whoever has the hub’s own machine keeps these roles.')}</p>
				) : (
					<GiveRole teams={teams} everywhere={everywhere} change={change} />
				)}
				{change.refusal && (
					<p role="alert" className="text-warn">
						<AgentText>{say.known(change.refusal)}</AgentText>
					</p>
				)}
			</section>
			{everywhere && <PersonRoster person={person.id} />}
			{everywhere && !isOwner && !person.mine && <PersonSwitch person={person} change={change} />}
		</Dialog>
	);
}
