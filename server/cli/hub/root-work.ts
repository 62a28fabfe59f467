import { printable } from '#lib/text/printable.ts';
import { hubAddress } from '../../edge/join-hub.ts';
import { readEnvironment } from '../../env.ts';
import { keyPathIn } from '../../hub/hub-key.ts';
import { keepRootSet, type RootSet, readRootSet } from '../../hub/root-set.ts';
import { writableHomeOf } from '../../install/home.ts';
import { EXIT, type Terminal, UsageError } from '../command.ts';
import { databaseOf, withDatabase } from './hub-database.ts';

/** A passkey that may become root: one of an admin of everything. */
interface Candidate {
	id: string;
	cose: string;
	label: string;
	name: string;
}

/** Shows the root passkeys of this hub and those that could be, or makes one of those root. */
export async function changeRoot(
	terminal: Terminal,
	{ action, id, url }: { action: string | undefined; id: string | undefined; url: () => string },
): Promise<number> {
	const keyPath = readEnvironment(terminal.env).hubKey ?? keyPathIn(writableHomeOf(terminal));
	const set = readRootSet(keyPath);
	const known = await candidates(databaseOf(terminal));
	if (action === undefined || action === 'show') return showRoot(terminal, set, known);
	if (action !== 'passkey' || id === undefined) throw new UsageError('Say `hub root` or `hub root passkey ID`.');
	const chosen = known.find((one) => one.id === id);
	if (!chosen) {
		terminal.say(`No admin of everything has a passkey ${JSON.stringify(id)}. \`signalbox hub root\` lists them.`);
		return EXIT.failed;
	}
	const rpId = set?.rpId ?? hubAddress(url()).hostname;
	const others = (set?.rootPasskeys ?? []).filter((one) => one.id !== id);
	keepRootSet(keyPath, { rpId, rootPasskeys: [...others, { id, cose: chosen.cose }] });
	terminal.print(`Root: ${printable(chosen.label)} of ${printable(chosen.name)}.`);
	terminal.say('Start each replica again, then make new codes: those made before do not fit any more.');
	terminal.say(
		'Machines that have joined already know no other root passkeys than before: to add this one, they leave',
	);
	terminal.say('and join again. Those that joined without any stay at H1 at most.');
	return EXIT.done;
}

function showRoot(terminal: Terminal, set: RootSet | undefined, known: readonly Candidate[]): number {
	const rootIds = set?.rootPasskeys.map(({ id }) => id) ?? [];
	for (const { id, name, label } of known)
		terminal.print(`${id}\t${printable(name)}\t${printable(label)}\t${rootIds.includes(id) ? 'root' : '-'}`);
	const gone = rootIds.filter((id) => !known.some((one) => one.id === id));
	for (const id of gone) terminal.print(`${id}\tnot enrolled any more\t-\troot`);
	if (!set) terminal.say('No passkey is root: machines can join at H1 at most.');
	if (known.length === 0) terminal.say('No admin has a passkey yet: enrol one on the page People.');
	return EXIT.done;
}

function candidates(databaseUrl: string): Promise<Candidate[]> {
	return withDatabase(databaseUrl, ({ ask }) =>
		ask<Candidate>(
			`SELECT k.cred_id AS id, k.cose, k.label, p.name FROM passkeys k JOIN people p ON p.id = k.person
			WHERE k.revoked_at IS NULL AND p.disabled_at IS NULL AND EXISTS (
				SELECT 1 FROM roles r WHERE r.person = p.id AND r.role = 'admin' AND r.scope_kind = 'org')
			ORDER BY k.added_at, k.cred_id`,
		),
	);
}
