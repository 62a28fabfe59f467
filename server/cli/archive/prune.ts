import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { RetentionPlan } from '#lib/contract/archives/retention.ts';
import { AppError } from '#lib/contract/errors.ts';
import { keptWords, policyWords, sizeWords } from '#lib/retention/retention-words.ts';
import { printable } from '#lib/text/printable.ts';
import type { PrunePorts } from '../../archives/retention/apply-retention.ts';
import { EXIT, type OptionValues, type Terminal, UsageError } from '../../process/command.ts';
import { failureWords } from '../../process/failure-words.ts';
import { homeOf } from '../../process/home.ts';

/** `archive prune`: what the retention would remove, or its removal. */
export async function pruneHome(word: string | undefined, values: OptionValues, terminal: Terminal): Promise<number> {
	if (word !== undefined) throw new UsageError('`archive prune` takes no name: what goes is what config.json says.');
	const applied = values.yes === true || values.apply === true;
	const failures: string[] = [];
	const plan = await withRetention(homeOf(terminal), async (world) => {
		const { applyRetention, checkPlan, readPlan } = await import('../../archives/retention/apply-retention.ts');
		if (!applied) return checkPlan(await readPlan(world), world);
		const failed = (what: string, error: unknown) => failures.push(`${what}: ${failureWords(error)}`);
		return applyRetention(world, { by: 'command', failed });
	});
	for (const failure of failures) terminal.say(printable(failure, 500));
	if (values.json === true) terminal.print(JSON.stringify({ applied, ...plan }));
	else tell(plan, applied, terminal);
	// With a policy that cannot be read nothing goes: whoever asked for it must not take that for done.
	const isUnread = applied && plan.problems.length > 0;
	return failures.length > 0 || isUnread ? EXIT.failed : EXIT.done;
}

/** Works on a home whose server may run: files and journal are shared by both. */
async function withRetention<T>(home: string, work: (world: PrunePorts) => Promise<T>): Promise<T> {
	if (!existsSync(home)) throw new AppError('file/not-found', `There is no home ${home}.`);
	const { openSqliteJournal } = await import('../../timeline/store/sqlite-journal.ts');
	const ports = createNodePorts({ home });
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	try {
		return await work({ home, journal, now: Date.now, projectRootOf: ports.projectRootOf });
	} finally {
		await journal.close();
		ports.close();
	}
}

function tell({ policy, problems, remove, kept, bytes }: RetentionPlan, applied: boolean, terminal: Terminal): void {
	for (const problem of problems) terminal.say(printable(problem, 500));
	for (const { what, id, feature, project, bytes: size, why } of remove) {
		const which = what === 'session' ? `session ${id}, kept in the archive of ${feature}` : `archive ${id}`;
		terminal.print(printable(`${which} (${project}): ${sizeWords(size)}, by its ${why}`, 500));
	}
	for (const { what, id, because } of kept)
		terminal.print(printable(`${what} ${id} stays: ${keptWords[because]}`, 500));
	if (policyWords(policy) === '' && remove.length === 0) {
		terminal.say('No retention is set: nothing is removed. See `retention` in docs/guide/files.md.');
		return;
	}
	const done = applied ? 'removed and freed' : 'would be removed, which frees';
	terminal.say(`${remove.length} ${done} ${sizeWords(bytes)}.`);
	if (!applied && remove.length > 0) terminal.say('Nothing was removed. Do it with `signalbox archive prune --yes`.');
}
