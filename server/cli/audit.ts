import { join } from 'node:path';
import { auditVerdict, breakWords } from '#lib/audit/audit-report.ts';
import type { PlacedHead } from '#lib/contract/health/audit.ts';
import { countOf } from '#lib/text/byte-size.ts';
import type { Anchor } from '../journal/anchors/anchors.ts';
import { defineCommand, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';
import { hasJournal } from '../timeline/store/journal-failure.ts';

const LIMIT_MS = 30_000;

export const audit = defineCommand({
	usage:
		'audit verify [--signatures] [--json] | export [--format json|csv] | redact N --fields a,b --reason TEXT | anchor',
	about: [
		'Works on the journal, the record of who decided what. Each row is chained to the one before and signed.',
		'  verify    check all rows, compare them with the heads at the anchors, and name the first changed row',
		'  export    print every row, for an auditor',
		'  redact N  remove fields of a row for good, and record that in a new row',
		'  anchor    send the head to the anchors of config.json now, as the server does every minute',
	].join('\n'),
	options: {
		json: { type: 'boolean', about: 'verify: print the report as JSON' },
		signatures: { type: 'boolean', about: 'verify: check every signature; takes five times as long' },
		format: {
			type: 'string',
			value: 'FORMAT',
			oneOf: ['json', 'csv'],
			about: 'export: json (default, one row a line) or csv',
		},
		fields: { type: 'string', value: 'NAMES', about: 'redact: fields to remove, e.g. reason,input' },
		reason: { type: 'string', value: 'TEXT', about: 'redact: why; recorded in the journal' },
	},
	verbs: { verify: 0, export: 0, redact: 1, anchor: 0 },
	examples: [
		'signalbox audit verify',
		'signalbox audit export --format csv > journal.csv',
		'signalbox audit redact 42 --fields input --reason "customer data"',
	],
	exits: {
		0: 'done; the journal is intact',
		1: 'a row was changed, a proof does not match, or the journal cannot be read',
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

/** The anchors in config.json; prints its problems. */
async function anchorsOf(home: string, terminal: Terminal): Promise<Anchor[]> {
	const { withNodePorts } = await import('#hooks-bridge/node/node-ports.ts');
	const { openAnchors } = await import('../journal/anchors/anchors.ts');
	const { readConfig } = await import('../process/read-config.ts');
	const { anchors, problems } = openAnchors(withNodePorts(home, readConfig), home, terminal.env);
	for (const problem of problems) terminal.say(`config.json: ${problem}`);
	return anchors;
}

/** The heads at the anchors. Prints which one cannot be asked. `spoilt`: proofs that do not match. */
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
				terminal.say(`${place} does not answer, so its heads were not checked.`);
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
			terminal.say(`Fields were removed from ${countOf(report.redacted, 'row')}; the journal says by whom.`);
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
	if (n === undefined)
		throw new UsageError('Give the number of a row: `audit redact N`. `audit export` lists the numbers.');
	if (fields === undefined || !reason?.trim())
		throw new UsageError('Give the fields and a reason: --fields reason,input --reason "customer data".');
	const { redactRow } = await import('../journal/export-journal.ts');
	const names = fields
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean);
	const written = redactRow(path, { n, fields: names, reason: reason.trim() });
	if (!written)
		throw new Error(
			`There is no row ${n} with any of these fields: \`signalbox audit export\` shows the fields of each row.`,
		);
	terminal.print(`Removed from row ${n}; row ${written.n} records it.`);
	terminal.say("The session's timeline may still contain it: it is another file, under sessions/.");
	return EXIT.done;
}

async function anchor(home: string, path: string, terminal: Terminal): Promise<number> {
	const { createAnchorScheduler } = await import('../journal/anchor-scheduler.ts');
	const { verifyJournal } = await import('../journal/verify-journal.ts');
	const { createLog } = await import('../process/log.ts');
	const anchors = await anchorsOf(home, terminal);
	if (anchors.length === 0) throw new Error('No anchor is configured: see docs/guide/audit.md.');
	const { head, bad } = verifyJournal(path);
	if (bad) throw new Error(`The journal is damaged at row ${bad.n}, so it was not anchored.`);
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
