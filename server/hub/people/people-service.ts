import type * as z from 'zod';
import { AppError } from '#lib/contract/errors.ts';
import type { HubPeople, PersonLine, RoleChange, SignIns, TokenBody } from '#lib/contract/hub/hub-people.ts';
import { type HubRole, type HubTarget, may, scopeOf } from '#lib/hub/may.ts';
import { accessIdOf } from '../../access/principal.ts';
import { repeat } from '../../process/repeat.ts';
import type { HubCore } from '../core/hub-core.ts';
import { type HubUser, type KnownPerson, type PeopleStore, roleOf } from './people-store.ts';
import type { SignInStore } from './sign-ins.ts';

/** Permissions are checked here, by person and scope. */
export function createPeopleService(
	{ journal, hints }: HubCore,
	{ people, signIns }: { people: PeopleStore; signIns: SignInStore },
	leftOut: () => Promise<ReadonlyMap<string, readonly unknown[]>>,
) {
	const changed = () => hints.send('people');

	/** Written before the change, in the journal of the team, or of all teams. */
	async function record(
		{ person: by, name }: HubUser,
		action: 'give' | 'take' | 'disable' | 'enable',
		id: number,
		role?: HubRole,
	): Promise<void> {
		const payload = { by: { person: by, name }, ...role };
		const row = { kind: `person:${action}`, subject: `person:${id}`, payload } as const;
		await (role?.team === undefined ? journal.appendToAll(row) : journal.append(role.team, row));
	}

	async function list({ person, roles }: HubUser): Promise<HubPeople> {
		const everywhere = may(roles, 'people', 'org');
		const [known, teams, full] = await Promise.all([people.list(), people.teams(), everywhere ? leftOut() : []]);
		const managed = scopeOf(roles, 'people').teams;
		const personLine = (one: KnownPerson): PersonLine => ({
			id: one.id,
			name: one.name,
			email: one.email,
			from: one.iss,
			disabled: one.disabled,
			passkeys: one.passkeys,
			roles: one.roles.map((row) => ({ ...roleOf(row), source: row.source })).filter((role) => isManaged(roles, role)),
			seenAt: one.seen?.toISOString() ?? null,
			mine: one.id === person,
		});
		return {
			people: known.filter((one) => isSeen(roles, one)).map(personLine),
			teams: managed === 'all' ? teams : teams.filter(({ id }) => managed.includes(id)),
			everywhere,
			full: [...full].map(([team, { length }]) => ({ team, leftOut: length })),
		};
	}

	async function demandPerson({ roles }: HubUser, id: number, mayChange: boolean): Promise<KnownPerson> {
		const found = (await people.list()).find((one) => one.id === id && isSeen(roles, one));
		if (!found) throw new AppError('person/not-found');
		if (!mayChange) throw new AppError('auth/forbidden');
		if (found.iss === 'hub') throw new AppError('person/owner');
		return found;
	}

	const signInsOf = ({ person, roles }: HubUser) => signIns.list(may(roles, 'people', 'org') ? null : person);

	/** `own` is the hash of the reader's sign-in. */
	async function listSignIns(user: HubUser, own: string): Promise<SignIns> {
		return {
			entries: (await signInsOf(user)).map(({ hash, since, until, seen, ...line }) => ({
				...line,
				id: accessIdOf(hash),
				since: since.toISOString(),
				until: until.toISOString(),
				seenAt: seen.toISOString(),
				mine: hash === own,
			})),
		};
	}

	return {
		list,
		listSignIns,
		async setDisabled(admin: HubUser, id: number, disabled: boolean): Promise<HubPeople> {
			await demandPerson(admin, id, may(admin.roles, 'people', 'org'));
			await record(admin, disabled ? 'disable' : 'enable', id);
			await people.setDisabled(id, disabled);
			if (disabled) await signIns.endAll(id, admin.person);
			changed();
			return list(admin);
		},
		async changeRole(admin: HubUser, id: number, wanted: z.output<typeof RoleChange>): Promise<HubPeople> {
			const { action, ...role } = wanted;
			const one = await demandPerson(admin, id, isManaged(admin.roles, role));
			if (role.team !== undefined && !(await people.teams()).some((team) => team.id === role.team))
				throw new AppError('person/role');
			const isHeld = one.roles.some((row) => isSameRole(roleOf(row), role));
			if (action === 'take' && !isHeld) throw new AppError('person/role');
			await record(admin, action, id, role);
			await (action === 'give' ? people.give(id, role) : people.removeRole(id, role));
			changed();
			return list(admin);
		},
		async end(user: HubUser, own: string, id: string): Promise<SignIns> {
			const found = (await signInsOf(user)).find(({ hash }) => accessIdOf(hash) === id);
			if (!found) throw new AppError('access/not-found');
			await signIns.end(found.hash, user.person);
			changed();
			return listSignIns(user, own);
		},
		async makeToken({ person }: HubUser, { name, days }: z.output<typeof TokenBody>) {
			const { token, until } = await signIns.mintToken(person, name, days);
			return { token, until: until.toISOString() };
		},
	};
}

export type PeopleService = ReturnType<typeof createPeopleService>;

const isSameRole = (one: HubRole, other: HubRole) =>
	one.role === other.role && one.team === other.team && one.project === other.project;

const targetOf = ({ team, project }: HubRole): HubTarget => (team === undefined ? 'org' : { team, project });

const isManaged = (roles: readonly HubRole[], role: HubRole) => may(roles, 'people', targetOf(role));

/** Admins see people with a role in their teams, and people without any role. */
const isSeen = (roles: readonly HubRole[], { roles: rows }: KnownPerson) =>
	rows.length === 0 || may(roles, 'people', 'org') || rows.some((row) => isManaged(roles, roleOf(row)));

const CHECK_MS = 2000;
const LEASE_SECONDS = 60;
const LEASE_AGAIN_MS = 20_000;

export function teamsOfDeciders(people: readonly (readonly HubRole[])[]): 'all' | readonly number[] {
	const teams = new Set<number>();
	for (const scope of people.map((roles) => scopeOf(roles, 'decide'))) {
		if (scope.teams === 'all') return 'all';
		for (const team of [...scope.teams, ...(scope.projects ?? []).map((one) => one.team)]) teams.add(team);
	}
	return [...teams].sort((a, b) => a - b);
}

/** Informs all replicas that somebody who may decide watches here. */
export function reportWatching(
	{ query }: Pick<HubCore, 'query'>,
	watching: () => readonly (readonly HubRole[])[],
	failed: (error: unknown) => void,
): () => void {
	let lastSent = '';
	let reportedAt = Number.NEGATIVE_INFINITY;
	return repeat(
		CHECK_MS,
		async () => {
			const teams = teamsOfDeciders(watching());
			const now = performance.now();
			if (teams.length === 0 || (JSON.stringify(teams) === lastSent && now - reportedAt < LEASE_AGAIN_MS)) return;
			lastSent = JSON.stringify(teams);
			reportedAt = now;
			const ids = teams === 'all' ? null : teams;
			await query`UPDATE teams SET watched_until = now() + make_interval(secs => ${LEASE_SECONDS})
				WHERE ${ids}::int[] IS NULL OR id = ANY (${ids})`;
		},
		failed,
	);
}
