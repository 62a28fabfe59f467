import { printable } from '#lib/text/printable.ts';
import { hubAddress } from '../../edge/join-hub.ts';
import type { Query } from '../../hub/database/database.ts';
import {
	changedRoots,
	changedRootWords,
	keyPathIn,
	type RootSet,
	readRootSet,
	storeRootSet,
} from '../../hub/database/hub-key.ts';
import { EXIT, Refusal, type Terminal, UsageError } from '../../process/command.ts';
import { readEnvironment } from '../../process/env.ts';
import { writableHomeOf } from '../../process/home.ts';
import { databaseOf, withDatabase, withJournal } from './hub-database.ts';
import { type HubArgs, urlOf } from './hub-options.ts';

interface Candidate {
	id: string;
	cose: string;
	label: string;
	name: string;
}

const START_AGAIN = 'Restart each replica, then create new codes: earlier ones are no longer valid.';

export async function changeRoot(terminal: Terminal, { action, word: id, values }: HubArgs): Promise<number> {
	const keyPath = readEnvironment(terminal.env).hubKey ?? keyPathIn(writableHomeOf(terminal));
	const set = readRootSet(keyPath);
	if (action === undefined || action === 'show')
		return withDatabase(databaseOf(terminal), ({ query }) => showRoot(terminal, query, set));
	if ((action !== 'passkey' && action !== 'remove') || id === undefined)
		throw new UsageError('Use `hub root`, `hub root passkey ID` or `hub root remove ID`.');
	return withJournal(terminal, (query, journal) => {
		const parts = { terminal, query, keyPath, set, id };
		const record = (kind: 'root:add' | 'root:remove') =>
			journal.appendToAll({ kind, subject: `passkey:${id}`, payload: { by: 'machine' } });
		return action === 'passkey'
			? addRoot(
					parts,
					() => urlOf(values),
					() => record('root:add'),
				)
			: removeRoot(parts, () => record('root:remove'));
	});
}

interface RootParts {
	terminal: Terminal;
	query: Query;
	keyPath: string;
	set: RootSet | undefined;
	id: string;
}

async function addRoot(
	{ terminal, query, keyPath, set, id }: RootParts,
	url: () => string,
	record: () => Promise<void>,
): Promise<number> {
	const chosen = (await candidates(query)).find((one) => one.id === id);
	if (!chosen)
		throw new Refusal(
			`No admin of the whole hub has a passkey ${JSON.stringify(id)}. \`signalbox hub root\` lists them.`,
		);
	const known = set?.rootPasskeys ?? [];
	const before = known.find((one) => one.id === id);
	if (before && before.cose !== chosen.cose) throw new Refusal(`Nothing was changed. ${changedRootWords(id)}`);
	if (before) {
		terminal.say('It is a root passkey already: nothing was changed.');
		return EXIT.done;
	}
	const rpId = set?.rpId ?? hubAddress(url()).hostname;
	await record();
	storeRootSet(keyPath, { rpId, rootPasskeys: [...known, { id, cose: chosen.cose }] });
	terminal.print(`Root passkey: ${printable(chosen.label)} of ${printable(chosen.name)}.`);
	terminal.say(START_AGAIN);
	terminal.say(
		'Machines that have joined already trust the earlier root passkeys only: to add this one, they must leave',
	);
	terminal.say('and join again. Those that joined without a root passkey stay at H1 at most.');
	return EXIT.done;
}

async function removeRoot({ terminal, keyPath, set, id }: RootParts, record: () => Promise<void>): Promise<number> {
	if (!set?.rootPasskeys.some((one) => one.id === id))
		throw new Refusal(`No root passkey is ${JSON.stringify(id)}. \`signalbox hub root\` lists them.`);
	const others = set.rootPasskeys.filter((one) => one.id !== id);
	if (others.length === 0) throw new Refusal('It is the only root passkey: make another one a root passkey first.');
	await record();
	storeRootSet(keyPath, { ...set, rootPasskeys: others });
	terminal.print(`No longer a root passkey: ${id}.`);
	terminal.say(START_AGAIN);
	terminal.say(
		'Machines that have joined already trust it until they leave and join again. For machines that join from',
	);
	terminal.say('now on, another root passkey must sign the roster entries that it has signed.');
	return EXIT.done;
}

async function showRoot(terminal: Terminal, query: Query, set: RootSet | undefined): Promise<number> {
	const known = await candidates(query);
	const changed = await changedRoots(query, set);
	const rootIds = set?.rootPasskeys.map(({ id }) => id) ?? [];
	const passkeyStatus = (id: string) =>
		changed.includes(id) ? 'root, by another key' : rootIds.includes(id) ? 'root' : '-';
	for (const { id, name, label } of known)
		terminal.print(`${id}\t${printable(name)}\t${printable(label)}\t${passkeyStatus(id)}`);
	const lost = rootIds.filter((id) => !known.some((one) => one.id === id));
	for (const id of lost) terminal.print(`${id}\tnot enrolled any more\t-\t${passkeyStatus(id)}`);
	for (const id of changed) terminal.say(changedRootWords(id));
	if (!set) terminal.say('There is no root passkey: machines can join at H1 at most.');
	if (known.length === 0) terminal.say('No admin has a passkey yet: enrol one on the page People.');
	return EXIT.done;
}

const candidates = (query: Query): Promise<Candidate[]> =>
	query<Candidate>`SELECT k.cred_id AS id, k.cose, k.label, p.name FROM passkeys k JOIN people p ON p.id = k.person
		WHERE k.revoked_at IS NULL AND p.disabled_at IS NULL AND EXISTS (
			SELECT 1 FROM roles r WHERE r.person = p.id AND r.role = 'admin' AND r.scope_kind = 'org')
		ORDER BY k.added_at, k.cred_id`;
