'use client';
import { type FormEvent, useState } from 'react';
import type { HubPeople, PersonLine, PersonRoster as Roster } from '#lib/contract/hub/hub-people.ts';
import { type HubRoleName, hubRoleNames } from '#lib/contract/hub/hub-roles.ts';
import type { RequestOf } from '#lib/contract/routes/route-table.ts';
import { reachOf, roleMeanings, roleWords } from '#lib/hub/role-words.ts';
import { endTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute, sendProven } from '../live/call-route.ts';
import { useNow } from '../live/now.ts';
import { useAction } from '../live/use-action.ts';
import { useRoute } from '../live/use-answer.ts';
import { Alert } from '../ui/answer-state.tsx';
import { Button } from '../ui/button.tsx';
import { DetailFact } from '../ui/detail-fact.tsx';
import { Dialog, DialogActions } from '../ui/dialog/dialog.tsx';
import { Part } from '../ui/part.tsx';
import { Select } from '../ui/select.tsx';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';
import { field } from '../ui/text-field.tsx';

interface PersonDialogProps {
	person: PersonLine;
	teams: HubPeople['teams'];
	everywhere: boolean;
	onChange: () => void;
	onClose: () => void;
}

export function PersonDialog({ person, teams, everywhere, onChange, onClose }: PersonDialogProps) {
	const say = useSay();
	const now = useNow();
	const change = usePersonChange(person.id, onChange);
	const { name, email, from, passkeys, seenAt, mine: isReader } = person;
	const isOwner = from === 'hub';
	return (
		<Dialog title={name} onClose={onClose}>
			<dl className="p-4 pb-2">
				<DetailFact name={say('E-mail')}>{email}</DetailFact>
				<DetailFact name={say('Known by')}>{isOwner ? say('a link that the hub’s own machine made') : from}</DetailFact>
				<DetailFact name={say('Here last')}>
					{seenAt === null ? say('never') : <time dateTime={seenAt}>{endTime(seenAt, now, say.language)}</time>}
				</DetailFact>
				<DetailFact name={say('Passkeys')}>{passkeys}</DetailFact>
			</dl>
			<Part isInDialog title={say('Roles')}>
				<RoleList person={person} teams={teams} isFixed={isOwner} change={change} />
				{isOwner ? (
					<p className="text-muted">{say('Whoever has the hub’s own machine keeps these roles.')}</p>
				) : (
					<GiveRole teams={teams} everywhere={everywhere} change={change} />
				)}
				<Alert>{change.refusal}</Alert>
			</Part>
			{everywhere && <PersonRoster person={person.id} />}
			{everywhere && !isOwner && !isReader && <PersonSwitch person={person} change={change} />}
		</Dialog>
	);
}

function PersonSwitch({ person: { name, disabled }, change }: { person: PersonLine; change: PersonChange }) {
	const say = useSay();
	const off = {
		name: say('Switch off…'),
		sure: {
			name: say('Switch off'),
			isDanger: true,
			means: say(
				'Every sign-in and token of {name} ends at once, everywhere, and none can be made. What was decided stands, and the roles stay for when the person is switched on again.',
				{ name },
			),
		},
		run: () => change.switchTo('disable'),
	};
	const on = { name: say('Switch on again'), run: () => change.switchTo('enable') };
	return <DialogActions actions={[disabled ? on : off]} isBusy={change.isBusy} refusal={null} />;
}

interface RoleListProps {
	person: PersonLine;
	teams: HubPeople['teams'];
	isFixed: boolean;
	change: PersonChange;
}

function RoleList({ person: { roles }, teams, isFixed, change }: RoleListProps) {
	const say = useSay();
	if (roles.length === 0) return <p className="text-warn">{say('No role yet: this person does not get in.')}</p>;
	return (
		<ul className="border-line border-t">
			{roles.map(({ source, ...role }) => {
				const words = roleWords(role, teams, say);
				return (
					<li
						key={`${role.role} ${role.team} ${role.project}`}
						className="flex min-h-8 items-center gap-x-3 border-line border-b py-1"
					>
						<span className="min-w-0 flex-1">
							<AgentText className="font-medium">{words}</AgentText>
							<span className="block text-muted text-small">
								{say(roleMeanings[role.role])}
								{source === 'oidc' && say('; from a group: taken and given with each sign-in')}
							</span>
						</span>
						{!isFixed && source === 'admin' && (
							<Button
								size="small"
								disabled={change.isBusy}
								aria-label={say('Take away: {role}', { role: words })}
								onClick={() => void change.changeRole({ action: 'take', ...role })}
							>
								{say('Take away')}
							</Button>
						)}
					</li>
				);
			})}
		</ul>
	);
}

const EVERYWHERE = '';

interface GiveRoleProps {
	teams: HubPeople['teams'];
	everywhere: boolean;
	change: PersonChange;
}

function GiveRole({ teams, everywhere, change }: GiveRoleProps) {
	const say = useSay();
	const offered = hubRoleNames.filter((name) => reachOf(name).teams || everywhere);
	const [role, setRole] = useState<HubRoleName>('viewer');
	const [chosen, setChosen] = useState<string | null>(null);
	const [project, setProject] = useState('');
	const reach = reachOf(role);
	const places = [
		...(everywhere ? [{ value: EVERYWHERE, label: say('everywhere') }] : []),
		...(reach.teams ? teams.map(({ id, name }) => ({ value: String(id), label: say('team {name}', { name }) })) : []),
	];
	const first = places.find(({ value }) => value !== EVERYWHERE) ?? places[0];
	const scope = places.find(({ value }) => value === chosen) ?? first;
	const isInTeam = scope !== undefined && scope.value !== EVERYWHERE;
	const isNarrow = reach.projects && isInTeam && project.trim() !== '';

	async function give(event: FormEvent) {
		event.preventDefault();
		if (!scope || change.isBusy) return;
		const where = { ...(isInTeam && { team: Number(scope.value) }), ...(isNarrow && { project: project.trim() }) };
		if (await change.changeRole({ action: 'give', role, ...where })) setProject('');
	}

	return (
		<form onSubmit={(event) => void give(event)} className="flex flex-col gap-1.5">
			<div className="flex flex-wrap items-center gap-2">
				<Select
					label={say('Role')}
					value={role}
					choices={offered.map((value) => ({ value, label: say(value) }))}
					onChoose={(value) => setRole(value as HubRoleName)}
					className={field}
				/>
				<Select
					label={say('Where')}
					value={scope?.value ?? ''}
					choices={places}
					onChoose={setChosen}
					className={field}
				/>
				{reach.projects && isInTeam && (
					<input
						aria-label={say('Only in this project')}
						placeholder={say('all projects, or one')}
						value={project}
						maxLength={300}
						onChange={({ target }) => setProject(target.value)}
						className={`${field} w-40`}
					/>
				)}
				<Button type="submit" kind="primary" disabled={change.isBusy || !scope}>
					{say('Give')}
				</Button>
			</div>
			<p className="text-muted text-small">{say(roleMeanings[role])}</p>
		</form>
	);
}

type RoleRequest = RequestOf<'POST /api/hub/people/:id/roles'>['body'];
type PersonChange = ReturnType<typeof usePersonChange>;

function usePersonChange(person: number, onChange: () => void) {
	const { isBusy, refusal, run } = useAction();
	const params = { id: String(person) };

	return {
		isBusy,
		refusal,
		switchTo: async (action: 'disable' | 'enable') =>
			(await run(callRoute('POST /api/hub/people/:id', { params, body: { action } }), onChange)).ok,
		changeRole: async (body: RoleRequest) =>
			(await run(callRoute('POST /api/hub/people/:id/roles', { params, body }), onChange)).ok,
	};
}

function PersonRoster({ person }: { person: number }) {
	const say = useSay();
	const params = { id: String(person) };
	const { data, error, reload } = useRoute('GET /api/hub/people/:id/roster', { params });
	const { refusal, run } = useAction();

	async function sign({ id, ask: options }: Roster['passkeys'][number]) {
		const signed = sendProven(options, (answer) =>
			callRoute('POST /api/hub/people/:id/roster', { params, body: { passkey: id, answer } }),
		);
		await run(signed, reload);
	}

	return (
		<Part
			isInDialog
			title={say('Roster')}
			note={say('Machines at level H2 take decisions only from passkeys that a root passkey has signed.')}
		>
			{data?.hasRoot === false && (
				<p className="text-warn">
					<Advice>
						{say('This hub has no root passkey yet: `signalbox hub root` on its own machine chooses one.')}
					</Advice>
				</p>
			)}
			{data?.passkeys.length === 0 && (
				<p className="text-muted">{say('This person has no passkey, or may decide nothing.')}</p>
			)}
			<ul className="border-line border-t empty:hidden">
				{data?.passkeys.map((passkey) => (
					<li key={passkey.id} className="flex min-h-8 flex-wrap items-center gap-x-3 border-line border-b py-1">
						<AgentText className="min-w-0 flex-1 font-medium">{passkey.label}</AgentText>
						{passkey.leftOutOf.length === 0 && (
							<span className={passkey.signed ? 'text-ok' : 'text-muted'}>
								{say(passkey.signed ? 'in the roster' : 'not in the roster')}
							</span>
						)}
						{passkey.leftOutOf.map((team) => (
							<span key={team} className="text-warn">
								{say('no room in the roster of {team}', { team })}
							</span>
						))}
						{passkey.ask && (
							<Button
								size="small"
								aria-label={say('Sign {name} into the roster', { name: passkey.label })}
								onClick={() => void sign(passkey)}
							>
								{say('Sign into the roster')}
							</Button>
						)}
					</li>
				))}
			</ul>
			<Alert>{refusal ?? error}</Alert>
		</Part>
	);
}
