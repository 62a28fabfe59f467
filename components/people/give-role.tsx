'use client';
import { type FormEvent, useState } from 'react';
import type { HubPeople } from '#lib/contract/hub/hub-people.ts';
import { type HubRoleName, hubRoleNames } from '#lib/contract/hub/hub-roles.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from '../ui/button.tsx';
import { field } from '../ui/field.ts';
import { Select } from '../ui/select.tsx';
import { reachOf, roleMeanings } from './role-words.ts';
import type { usePersonChange } from './use-person-change.ts';

const EVERYWHERE = '';

interface GiveRoleProps {
	teams: HubPeople['teams'];
	/** One may give roles that hold everywhere. */
	everywhere: boolean;
	change: ReturnType<typeof usePersonChange>;
}

/** Gives a role: only where it may hold, and where one is an admin. */
export function GiveRole({ teams, everywhere, change }: GiveRoleProps) {
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
	const place = places.find(({ value }) => value === chosen) ?? first;
	const isInTeam = place !== undefined && place.value !== EVERYWHERE;
	const isNarrow = reach.projects && isInTeam && project.trim() !== '';

	async function give(event: FormEvent) {
		event.preventDefault();
		if (!place || change.isBusy) return;
		const where = { ...(isInTeam && { team: Number(place.value) }), ...(isNarrow && { project: project.trim() }) };
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
					value={place?.value ?? ''}
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
				<Button type="submit" kind="primary" disabled={change.isBusy || !place}>
					{say('Give')}
				</Button>
			</div>
			<p className="text-muted text-small">{say(roleMeanings[role])}</p>
		</form>
	);
}
