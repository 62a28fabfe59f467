import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { withNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { supervisorFolderOf } from '#hooks-bridge/supervisor/state-store.ts';
import { supervisorStatus } from '#hooks-bridge/supervisor/switch-supervisor.ts';
import { agentTable } from '#lib/agents/agent-table.ts';
import { auditVerdict } from '#lib/audit/audit-report.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { readNotifySettings } from '#lib/notify/notify-settings.ts';
import { POLICY_FILE, policyInForce } from '#lib/settings/policy-settings.ts';
import { printable } from '#lib/text/printable.ts';
import { openChannel } from '../connect/notify/open-channel.ts';
import { openPushStore } from '../connect/notify/push-store.ts';
import { telemetryState } from '../connect/otlp/switch-telemetry.ts';
import { findTelemetryToken, telemetryTarget } from '../connect/otlp/telemetry-token.ts';
import { readPlacedHeads } from '../journal/anchor-scheduler.ts';
import { reasonOf } from '../process/failure-words.ts';
import { readConfig } from '../process/read-config.ts';
import { readLLMConfig } from '../reviewers/llm/llm-config.ts';
import { SettingsRefused } from '../setup/merge-settings.ts';
import { missingSupervisorHooks } from '../setup/other-registrations.ts';
import { settingsAt } from '../setup/project-settings.ts';
import { sessionOf } from '../timeline/find-session.ts';
import { hasJournal, JournalFailure } from '../timeline/store/journal-failure.ts';
import type { Check, FindCommand, SetUp } from './check.ts';

/** About 100,000 rows, a few seconds; a longer journal is for `audit verify`. */
const MAX_JOURNAL = 64 * 1024 * 1024;
const SERVER_ENV = "this shell's environment was checked, but the server's counts";

async function checkJournal(home: string): Promise<Check> {
	const name = 'journal';
	const path = join(home, 'journal.db');
	const fix = 'run `signalbox audit verify`';
	try {
		if (!hasJournal(path)) return { state: 'ok', name, detail: 'nothing was decided yet' };
		const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
		if (size > MAX_JOURNAL) return { state: 'note', name, detail: 'too long for a quick check', fix };
		const { verifyJournal } = await import('../journal/verify-journal.ts');
		const report = verifyJournal(path, readPlacedHeads(home));
		const detail = auditVerdict(report);
		if (report.bad) return { state: 'wrong', name, detail, fix: 'copy journal.db, then see docs/guide/audit.md' };
		if (report.rows === 0 || report.anchored) return { state: 'ok', name, detail };
		return { state: 'note', name, detail, fix: 'anchor it outside: see docs/guide/audit.md' };
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
	const { channels, problems, address } = readNotifySettings(withNodePorts(home, readConfig), env);
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
	const { withoutSandbox } = settingsAt(home, project);
	const fix = 'install bubblewrap';
	return withoutSandbox === 'refuse'
		? [{ state: 'warn', name, detail: 'bwrap is not found: `signalbox sh` refuses commands of the system', fix }]
		: [{ state: 'note', name, detail: 'bwrap is not found: `signalbox sh` runs commands without a sandbox', fix }];
}

/** Whether the newest live session of the project has a supervisor that is on, without its hooks. */
function checkSupervisor({ project, home, configDir, env }: SetUp): Check[] {
	if (missingSupervisorHooks(project, configDir) === undefined) return [];
	const sessionId = sessionOf(undefined, home, project, { env: {} });
	const folder = sessionId === HOME_SESSION ? null : supervisorFolderOf(env, sessionId);
	if (!folder) return [];
	const service = { sessionId, place: folder, project };
	const { state } = withNodePorts(home, (ports) => supervisorStatus({ ...service, ports }));
	if (!state.enabled) return [];
	const detail = `on for session ${sessionId}, but its hooks are missing here: nothing is reviewed`;
	return [{ state: 'warn', name: 'supervisor', detail, fix: 'run `signalbox init --supervisor`' }];
}

/** The hub's policy in force; no finding without one. */
function checkPolicy({ home }: Pick<SetUp, 'home'>): Check[] {
	const name = 'hub policy';
	const read = readBounded(join(home, POLICY_FILE), home);
	const { policy, problem } = policyInForce(read.ok ? read.text : undefined, Date.now());
	if (problem !== undefined) {
		const fix = 'start the server: it restores the policy from the journal';
		return [{ state: 'wrong', name, detail: problem, fix }];
	}
	if (!policy) return [];
	const { hub, team, version, expires, body, mayLoosen } = policy;
	const says = Object.entries(body).map(([path, value]) => `${path} ${JSON.stringify(value)}`);
	const by = mayLoosen ? ', signed by a root passkey' : '';
	const detail = `v${version} of team ${team} from ${hub}${by}, until ${expires}: ${says.join(', ') || 'nothing is restricted'}`;
	return [{ state: 'ok', name, detail: printable(detail, 600) }];
}

/** Clients that are set up to send telemetry here, and whether any arrived. */
async function checkTelemetry({ project, home, env }: SetUp): Promise<Check[]> {
	if (findTelemetryToken(home) === undefined) return [];
	const target = await telemetryTarget(home, env, true);
	return agentTable.flatMap(({ name, title }): Check[] => {
		const part = `telemetry, ${name}`;
		try {
			const state = telemetryState(name, project, { env, cwd: project }, target);
			if (state === 'no') return [];
			if (state === 'yes') return [{ state: 'ok', name: part, detail: `${title} sends it to ${target.url}` }];
			const detail = `${title} sends it to another port, or with another token, than this home has`;
			return [{ state: 'wrong', name: part, detail, fix: `run \`signalbox init --telemetry --agent ${name}\`` }];
		} catch (error) {
			if (!(error instanceof SettingsRefused)) throw error;
			return [];
		}
	});
}

/** Whether the parts beside the hooks work: supervisor, policy, telemetry, journal, channels, model and sandbox. */
export async function checkServices(setUp: SetUp, find: FindCommand): Promise<Check[]> {
	return [
		...checkSupervisor(setUp),
		...checkPolicy(setUp),
		...(await checkTelemetry(setUp)),
		await checkJournal(setUp.home),
		...checkChannels(setUp),
		...checkModel(setUp),
		...checkSandbox(setUp, find),
	];
}
