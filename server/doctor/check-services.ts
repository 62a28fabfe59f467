import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { auditVerdict } from '#lib/audit/audit-report.ts';
import { readNotifySettings } from '#lib/notify/notify-settings.ts';
import { openChannel } from '../connect/notify/open-channel.ts';
import { openPushStore } from '../connect/notify/push-store.ts';
import { readPlacedHeads } from '../journal/anchor-scheduler.ts';
import { reasonOf } from '../process/failure-words.ts';
import { readConfig } from '../process/read-config.ts';
import { readLLMConfig } from '../reviewers/llm/llm-config.ts';
import { projectFiles } from '../setup/plan-init.ts';
import { settingsAt } from '../setup/settings-at.ts';
import { hasJournal, JournalFailure } from '../timeline/store/journal-failure.ts';
import type { Check, FindCommand, SetUp } from './check.ts';

/** About 100,000 rows, a few seconds; a longer journal is for `audit verify`. */
const LARGEST_JOURNAL = 64 * 1024 * 1024;
const SERVER_ENV = "the server's environment counts, and this is yours";

async function checkJournal(home: string): Promise<Check> {
	const name = 'journal';
	const path = join(home, 'journal.db');
	const fix = 'run `signalbox audit verify`';
	try {
		if (!hasJournal(path)) return { state: 'ok', name, detail: 'nothing was decided yet' };
		const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
		if (size > LARGEST_JOURNAL) return { state: 'note', name, detail: 'too long for a quick look', fix };
		const { verifyJournal } = await import('../journal/verify-journal.ts');
		const report = verifyJournal(path, readPlacedHeads(home));
		const detail = auditVerdict(report);
		if (report.bad)
			return { state: 'wrong', name, detail, fix: 'keep a copy of journal.db and see docs/guide/audit.md' };
		if (report.rows === 0 || report.anchored) return { state: 'ok', name, detail };
		return { state: 'note', name, detail, fix: 'anchor it outside: docs/guide/audit.md' };
	} catch (error) {
		return {
			state: 'wrong',
			name,
			detail: `it cannot be read: ${error instanceof JournalFailure ? error.reason : reasonOf(error)}`,
			fix,
		};
	}
}

function checkChannels({ home, env }: SetUp): Check[] {
	const name = 'notifications';
	const ports = createNodePorts({ home });
	const { channels, problems, address } = readNotifySettings(readConfig(ports), env);
	ports.close();
	const pushStore = openPushStore(home, Date.now);
	const missing = channels.flatMap((one) => {
		const opened = openChannel(one, env, pushStore, address);
		return opened.ok ? [] : [`${one.name} needs ${opened.missing}`];
	});
	return [
		...problems.map((detail): Check => ({ state: 'warn', name, detail, fix: 'correct config.json' })),
		...missing.map(
			(detail): Check => ({ state: 'warn', name, detail, fix: `set it and restart the server; ${SERVER_ENV}` }),
		),
		...(channels.length > missing.length
			? [{ state: 'ok', name, detail: `${channels.length - missing.length} of ${channels.length} channels` } as const]
			: []),
	];
}

function checkModel({ home, env }: SetUp): Check[] {
	const name = 'model';
	const { config, problem } = readLLMConfig(home, env);
	const wrong: Check[] =
		problem === undefined
			? []
			: [{ state: 'warn', name, detail: problem, fix: config ? 'correct config.json' : SERVER_ENV }];
	return config ? [{ state: 'ok', name, detail: `${config.provider}/${config.model}` }, ...wrong] : wrong;
}

function checkSandbox({ home, project }: SetUp, find: FindCommand): Check[] {
	const name = 'sandbox';
	const bwrap = find('bwrap');
	if (bwrap !== undefined) return [{ state: 'ok', name, detail: bwrap }];
	const { withoutSandbox } = settingsAt(home, projectFiles(project).config);
	const fix = 'install bubblewrap';
	return withoutSandbox === 'refuse'
		? [{ state: 'warn', name, detail: 'bwrap is not found: `signalbox sh` refuses commands of the system', fix }]
		: [{ state: 'note', name, detail: 'bwrap is not found: `signalbox sh` runs commands without a sandbox', fix }];
}

/** Whether what stands beside the hooks works: the record, messages to people, the model, the shell's sandbox. */
export async function checkServices(setUp: SetUp, find: FindCommand): Promise<Check[]> {
	return [await checkJournal(setUp.home), ...checkChannels(setUp), ...checkModel(setUp), ...checkSandbox(setUp, find)];
}
