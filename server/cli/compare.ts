import { type Command, EXIT, UsageError } from '../process/command.ts';
import { homeOf } from '../process/home.ts';
import { printComparison } from './compare/print-comparison.ts';
import { withArchives } from './feature-ports.ts';

/** `signalbox compare` */
export const compare: Command = {
	usage: 'compare A B [--json]',
	about: [
		'Lays two runs side by side: where they first went apart and why, then every number of both, and their stages. A and B',
		'are archives (by id or folder), features (their latest archive) or sessions; `previous` stands for the run before the',
		'other one: of the same feature, or of the same project and workflow. Reads only; a server need not run.',
	].join('\n'),
	options: { json: { type: 'boolean', about: 'print the comparison as JSON (docs/guide/compare.md)' } },
	words: 2,
	examples: ['signalbox compare previous cart', 'signalbox compare 2026-02-23_cart 2026-03-02_cart --json'],
	exits: {
		0: 'done, whatever differs',
		1: 'nothing of that name is recorded, or it is damaged; what is on stderr',
		2: 'the command line does not fit',
	},
	async run(values, [a, b], terminal) {
		if (a === undefined || b === undefined) throw new UsageError('Name the two runs: compare A B.');
		const { createCompareService } = await import('../archives/compare/compare-service.ts');
		const found = await withArchives(homeOf(terminal), (world) =>
			createCompareService({ ...world, now: Date.now }).compare(a, b),
		);
		if (values.json === true) terminal.print(JSON.stringify(found));
		else printComparison(found, terminal);
		return EXIT.done;
	},
};
