import { AppError } from '#lib/contract/errors.ts';
import type { PersonRoster } from '#lib/contract/hub/hub-people.ts';
import { may } from '#lib/hub/may.ts';
import type { Principal } from '../../access/principal.ts';
import { entryDigest } from '../../edge/signatures.ts';
import type { HubCore } from '../timelines/hub-journal.ts';
import { askRoot } from './root-answer.ts';
import { createRosterStore, isWhole, readLeftOut } from './roster-store.ts';

export function createRosterService({ ask, identity, journal }: HubCore) {
	const { root } = identity;
	const store = createRosterStore(ask, identity);

	async function read(person: number): Promise<PersonRoster> {
		const [lines, leftOut] = await Promise.all([store.of(person), readLeftOut(ask)]);
		const leftOutOf = (id: string) => [...leftOut].flatMap(([team, ids]) => (ids.includes(id) ? [team] : []));
		return {
			hasRoot: root.v === 2,
			mayDecide: lines.some(({ wanted }) => wanted !== undefined),
			passkeys: lines.flatMap((line) => {
				const { wanted, label, added } = line;
				const { id } = wanted?.passkey ?? line.signed?.entry.passkey ?? {};
				if (id === undefined) return [];
				const signed = isWhole(line);
				const challenge = signed || !wanted ? null : askRoot(root, entryDigest(wanted, root.origin));
				return [{ id, label, since: added.toISOString(), signed, leftOutOf: leftOutOf(id), ask: challenge }];
			}),
		};
	}

	return {
		async read(principal: Principal, person: number): Promise<PersonRoster> {
			demandAdmin(principal);
			return read(person);
		},
		async sign(principal: Principal, person: number, passkey: string, answer: string): Promise<PersonRoster> {
			const { person: by, name } = demandAdmin(principal);
			const line = (await store.of(person)).find(({ wanted }) => wanted?.passkey.id === passkey);
			if (!line || !(await store.sign(line, answer))) throw new AppError('passkey/refused');
			const payload = { by: { person: by, name }, passkey, places: line.wanted?.places ?? [] };
			await journal.appendToAll({ kind: 'person:sign', subject: `person:${person}`, payload });
			return read(person);
		},
	};
}

export type RosterService = ReturnType<typeof createRosterService>;

function demandAdmin({ hub }: Principal) {
	if (!hub || !may(hub.roles, 'people', 'org')) throw new AppError('auth/forbidden');
	return hub;
}
