import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { release } from '#hooks-bridge/engine/release.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';
import { createApprovalService } from '../approvals/approval-service.ts';
import { createGrantService } from '../approvals/grants/grant-service.ts';
import { createOutbox } from '../approvals/outbox.ts';
import type { Presence } from '../approvals/presence.ts';
import { createDoor } from '../door/door.ts';
import { ticketsOf } from '../door/exchange.ts';
import { createLog } from '../process/log.ts';
import { createConfiguredClient } from '../reviewers/llm/llm-client.ts';
import { KEY_FILE } from '../reviewers/llm/llm-config.ts';
import { createAssessor } from '../reviewers/validators/assess.ts';
import { createAssessmentTickets } from '../reviewers/validators/assessment-tickets.ts';
import { sessionReadsOf } from '../timeline/store/index-store.ts';
import { openSqliteIndex } from '../timeline/store/sqlite-index.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';
import { createTail } from '../timeline/tail/tail.ts';
import { askDoor } from './ask-door.ts';
import { type ModelReply, type ModelRequest, startScriptedModel } from './scripted-model.ts';
import { startHook } from './service-rig.ts';

type Script = ModelReply | ((request: ModelRequest) => ModelReply);

/** What a test sets up; without a script no model is configured. */
export interface ValidatorsRigOptions {
	script?: Script[];
	config?: Record<string, unknown>;
	presence?: Presence;
	provider?: 'anthropic' | 'openai-compatible';
	/** The key is in `llm.key` of the home, not in the environment. */
	hasKeyFile?: true;
}

/** Door, service, tail, journal and a scripted model over real sockets and files; hooks are the real hook.sh. */
export async function startValidators(options: ValidatorsRigOptions = {}) {
	const home = mkdtempSync(join(tmpdir(), 'sb-validators-'));
	const project = join(home, 'project');
	mkdirSync(join(project, '.git'), { recursive: true });
	const model = options.script ? await startScriptedModel(...options.script) : null;
	const provider = options.provider ?? 'anthropic';
	const llm = model && { provider, model: 'claude-haiku-4-5', baseUrl: model.baseUrl, timeoutSeconds: 60 };
	const gates = { spawnValidator: { enabled: true }, routing: { enabled: false } };
	writeFileSync(join(home, 'config.json'), JSON.stringify({ gates, ...(llm && { llm }), ...options.config }));
	const logged: string[] = [];
	const log = createLog((line) => logged.push(line));
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const index = openSqliteIndex(join(home, 'index.db'), { warn: () => undefined });
	const tail = createTail({ home, index, journal, log });
	const key = 'sk-test-key';
	if (options.hasKeyFile) writeFileSync(join(home, KEY_FILE), key, { mode: 0o600 });
	const configured = createConfiguredClient(home, options.hasKeyFile ? {} : { SIGNALBOX_LLM_KEY: key }, log);
	const nodePorts = createNodePorts({ home, onAppend: (sessionId) => tail.noteAppended(sessionId) });
	const mayAssess = (validator: string) => validator === 'completion' || configured.model() !== undefined;
	const ports = { ...nodePorts, mayAssess };
	const means = { journal, ports, release, log };
	const outbox = createOutbox(means);
	const service = createApprovalService({
		...means,
		outbox,
		grants: createGrantService({ ...means, outbox }),
		holdSeconds: () => 120,
		presence: () => options.presence ?? 'nobody',
		forcedHoldSeconds: null,
	});
	const assessor = createAssessor({ ...configured, reads: sessionReadsOf(index), viewOf: tail.viewOf, ports });
	const assessments = createAssessmentTickets({ service, assessor, ports, log });
	const socketPath = join(home, 'bridge.sock');
	const door = createDoor({ socketPath, ports, respond, tickets: ticketsOf(assessments), log });
	await tail.start();
	await service.start();
	await door.listen();
	const post = (fields: Record<string, unknown>, headers: Record<string, string> = {}) => {
		const body = JSON.stringify({ session_id: 's1', cwd: project, ...fields });
		return askDoor(socketPath, { path: '/hooks/claude-code', body, headers });
	};
	const timeline = (sessionId?: string) => recordedEvents(home, sessionId);
	return {
		home,
		project,
		model,
		service,
		door,
		tail,
		index,
		journal,
		ports,
		assessments,
		logged,
		timeline,
		ofType: (type: string) => timeline().filter((event) => event.type === type),
		/** A hook input of session s1 in the project. */
		input: (fields: Record<string, unknown>) => ({ session_id: 's1', cwd: project, ...fields }),
		/** Posts an input without the hook's headers, and waits until the index has it. */
		async sendHooks(...inputs: Record<string, unknown>[]) {
			for (const fields of inputs) await post(fields);
			await tail.whenRead();
		},
		post,
		poll: (path: string) => askDoor(socketPath, { method: 'GET', path }),
		/** Runs the real hook over one input; gives what it printed, parsed. */
		async hook(fields: Record<string, unknown>, timeout = '60') {
			const { stdout, code } = await startHook(home, { session_id: 's1', cwd: project, ...fields }, {}, timeout)
				.printed;
			return { code, text: stdout, output: stdout === '' ? null : JSON.parse(stdout) };
		},
		/** Resolves with the approval that waits, once there is one. */
		async waiting() {
			for (;;) {
				const [record] = service.list('waiting', 1);
				if (record) return record;
				await new Promise(setImmediate);
			}
		},
		async stop() {
			await assessments.stop();
			await door.close();
			await service.stop();
			await tail.stop();
			index.close();
			await journal.close();
			nodePorts.close();
			await model?.stop();
		},
	};
}

export type ValidatorsRig = Awaited<ReturnType<typeof startValidators>>;
