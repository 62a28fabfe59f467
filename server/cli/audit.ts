import { join } from 'node:path';
import { auditVerdict } from '#lib/audit/audit-report.ts';
import { breakWords } from '#lib/audit/break-words.ts';
import type { PlacedHead } from '#lib/contract/health/audit.ts';
import { countOf } from '#lib/text/byte-size.ts';
import type { Anchor } from '../journal/anchors/anchors.ts';
import { defineCommand, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';
import { hasJournal } from '../timeline/store/journal-failure.ts';

const LIMIT_MS = 30_000;

/** `signalbox audit` */
export const audit = defineCommand({
	usage:
		'audit verify [--signatures] [--json] | export [--format json|csv] | redact N --fields a,b --reason TEXT | anchor',
	about: [
		'The journal holds who decided what; each row is chained to the one before and signed. `verify` reads all of it,',
		'asks the anchors for the heads that they have, and names the first row that was changed. `export`',
		'prints every row for an auditor. `redact` removes fields of a row for good and records that in a row of its own.',
		'`anchor` stores the head at the anchors of config.json now, as the server does every minute.',
	].join('\n'),
	options: {
		json: { type: 'boolean', about: 'verify: the whole report as JSON' },
		signatures: { type: 'boolean', about: 'verify: check every signature; takes five times as long' },
		format: {
			type: 'string',
			value: 'FORMAT',
			oneOf: ['json', 'csv'],
			about: 'export: json (one row a line, the default) or csv',
		},
		fields: { type: 'string', value: 'NAMES', about: 'redact: which fields, with commas, e.g. reason,input' },
		reason: { type: 'string', value: 'TEXT', about: 'redact: why; it stays in the journal' },
	},
	verbs: { verify: 0, export: 0, redact: 1, anchor: 0 },
	examples: [
		'signalbox audit verify',
		'signalbox audit export --format csv > journal.csv',
		'signalbox audit redact 42 --fields input --reason "customer data"',
	],
	exits: {
		0: 'done; the journal is as it was written',
		1: 'a row was changed, a kept proof of it does not hold, or it cannot be read',
	},
	async run({ json, signatures, format = 'json', fields, reason }, [verb, row], terminal) {
		const home = homeOf(terminal);
		const path = join(home, 'journal.db');
		if (!hasJournal(path)) throw new Error(`There is no journal in ${home}: nothing was ever decided there.`);
		switch (verb) {
			case 'verify':
				return verify(home, path, { json, signatures }, terminal);
			case 'export': {
				const { exportJournal } = await import('../journal/export-journal.ts');
				for (const line of exportJournal(path, format)) terminal.print(line);
				return EXIT.done;
			}
			case 'redact':
				return redact(path, row, { fields, reason }, terminal);
			case 'anchor':
				return anchor(home, path, terminal);
		}
	},
});

/** The anchors of the home's settings; what does not fit there is said. */
async function anchorsOf(home: string, terminal: Terminal): Promise<Anchor[]> {
	const { createNodePorts } = await import('#hooks-bridge/node/node-ports.ts');
	const { openAnchors } = await import('../journal/anchors/anchors.ts');
	const { readConfig } = await import('../process/read-config.ts');
	const ports = createNodePorts({ home });
	const { anchors, problems } = openAnchors(readConfig(ports), home, terminal.env);
	ports.close();
	for (const problem of problems) terminal.say(`config.json: ${problem}`);
	return anchors;
}

/** What the anchors themselves say; one that cannot be asked is said and left out. `spoilt`: proofs that do not hold. */
async function askAnchors(
	anchors: readonly Anchor[],
	terminal: Terminal,
): Promise<{ placed: PlacedHead[]; spoilt: number }> {
	let spoilt = 0;
	const printProblem = (problem: string) => {
		spoilt += 1;
		terminal.say(problem);
	};
	const heads = await Promise.all(
		anchors.map(async ({ place, list }) => {
			try {
				return (await list(AbortSignal.timeout(LIMIT_MS), printProblem)).map((head) => ({ ...head, place }));
			} catch {
				terminal.say(`${place} cannot be asked; what it knows is not looked at.`);
				return [];
			}
		}),
	);
	return { placed: heads.flat(), spoilt };
}

async function verify(
	home: string,
	path: string,
	{ json, signatures = false }: { json: boolean | undefined; signatures: boolean | undefined },
	terminal: Terminal,
): Promise<number> {
	const { verifyJournal } = await import('../journal/verify-journal.ts');
	const anchors = await anchorsOf(home, terminal);
	const { placed, spoilt } = await askAnchors(anchors, terminal);
	const report = verifyJournal(path, placed, { everySignature: signatures });
	if (json) terminal.print(JSON.stringify(report));
	else {
		terminal.print(auditVerdict(report));
		for (const { n, ts, ...journalBreak } of report.breaks) terminal.say(`${ts}: ${breakWords(n, journalBreak)}`);
		const caveat = anchors.find(({ place }) => place === report.anchored?.place)?.caveat;
		if (caveat !== undefined) terminal.say(caveat);
		if (report.redacted > 0)
			terminal.say(`Fields were taken out of ${countOf(report.redacted, 'row')}; who did it is in the journal.`);
	}
	return report.bad || spoilt > 0 ? EXIT.failed : EXIT.done;
}

async function redact(
	path: string,
	row: string | undefined,
	{ fields, reason }: { fields: string | undefined; reason: string | undefined },
	terminal: Terminal,
): Promise<number> {
	const n = /^[1-9]\d{0,14}$/.test(row ?? '') ? Number(row) : undefined;
	if (n === undefined) throw new UsageError('Say which row: `audit redact N`; `audit export` has the numbers.');
	if (fields === undefined || !reason?.trim())
		throw new UsageError('Say what and why: --fields reason,input --reason "customer data".');
	const { redactRow } = await import('../journal/export-journal.ts');
	const names = fields
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean);
	const written = redactRow(path, { n, fields: names, reason: reason.trim() });
	if (!written)
		throw new Error(`There is no row ${n} with any of these fields: \`signalbox audit export\` shows what each has.`);
	terminal.print(`Taken out of row ${n}; row ${written.n} says so.`);
	terminal.say("The session's own timeline may still hold it: that is a file of its own, under sessions/.");
	return EXIT.done;
}

async function anchor(home: string, path: string, terminal: Terminal): Promise<number> {
	const { createAnchorScheduler } = await import('../journal/anchor-scheduler.ts');
	const { verifyJournal } = await import('../journal/verify-journal.ts');
	const { createLog } = await import('../process/log.ts');
	const anchors = await anchorsOf(home, terminal);
	if (anchors.length === 0) throw new Error('No anchor is set up: see docs/guide/audit.md.');
	const { head, bad } = verifyJournal(path);
	if (bad) throw new Error(`The journal is broken at row ${bad.n}; it is not anchored.`);
	const scheduler = createAnchorScheduler({
		home,
		anchors,
		head: () => head,
		now: Date.now,
		log: createLog((line) => terminal.say(line.trim())),
	});
	await scheduler.place();
	const { anchored } = scheduler.state();
	const isAnchored = anchored && anchored.n === head?.n;
	terminal.print(isAnchored ? `Row ${anchored.n} is anchored (${anchored.place}).` : 'Not anchored.');
	return isAnchored ? EXIT.done : EXIT.failed;
}
