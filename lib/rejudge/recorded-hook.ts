import type { AgentHook, HookHead } from '../agents/agent-hook.ts';
import { FIRST_AGENT } from '../agents/agent-table.ts';
import { recordedDeed } from '../agents/read-deed.ts';
import { callKind, hookPointOf } from '../agents/recorded-event.ts';
import type { DeedKind } from '../agents/tool-call.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { excludedCommands } from '../gates/command-policy/command-policy-gate.ts';
import type { GateRow, GateSettings } from '../gates/gate.ts';
import { settingValue } from '../gates/gate-setting.ts';
import { concerns, gateSettings } from '../gates/gate-table.ts';
import { foldWorkflowState } from '../workflow/workflow-fold.ts';

/** A call or the end of a turn, as it was recorded. */
export interface RecordedHook {
	at: 'call' | 'turn-end';
	does?: DeedKind;
	/** Null if its event does not hold all of it. */
	hook: AgentHook | null;
	/** The workflow before it. */
	workflow: WorkflowState | null;
}

/** Whether hooks of the past can be judged by a gate that was not asked then. */
export const isRehearsed = ({ judgedBy, at }: GateRow): boolean =>
	typeof judgedBy !== 'string' && at.every((point) => point === 'call' || point === 'turn-end');

/** Follows a session's events for what gates read beside the hook. */
export class RecordedSession {
	sessionId = '';
	cwd = '';
	#agent: string = FIRST_AGENT;
	#hasPlan = false;
	#workflow: WorkflowState | null = null;

	/** Adds the next event; gives its hook if gates judge such a one. */
	add(event: KnownEvent): RecordedHook | undefined {
		if (event.type === 'session:start') this.cwd = event.cwd ?? this.cwd;
		if (event.type === 'routing:plan') this.#hasPlan = true;
		this.#agent = event.make ?? this.#agent;
		const workflow = this.#workflow;
		this.#workflow = foldWorkflowState(workflow, event);
		if (event.type === 'tool:call') return { at: 'call', does: callKind(event), hook: this.#callOf(event), workflow };
		if (event.type !== 'hook:event' || event.agentId !== undefined || hookPointOf(event) !== 'turn-end')
			return undefined;
		return { at: 'turn-end', hook: { ...this.#headOf(event), at: 'turn-end', running: null }, workflow };
	}

	/**
	 * The facts for a gate that was not asked: null if the hook does not concern it, 'unknown' if it reads what no event records.
	 * Of a plan only its existence is known, since it may change without an event.
	 */
	factsOf(row: GateRow, { at, does, hook, workflow }: RecordedHook, values: GateSettings['values'] = {}) {
		if (typeof row.judgedBy === 'string' || !concerns(row, at, does)) return null;
		if (hook === null) return 'unknown';
		try {
			return row.judgedBy.facts(hook, {
				project: this.cwd,
				cwd: this.cwd,
				settings: triedSettings(values),
				plan: () => (this.#hasPlan ? notRecorded() : null),
				workflow: () => workflow,
				canSandbox: notRecorded,
				programFile: notRecorded,
				isRepairing: notRecorded,
				loop: () => (workflow === null ? null : notRecorded()),
				planRest: () => (this.#hasPlan ? notRecorded() : null),
			});
		} catch (error) {
			if (error instanceof NotRecorded) return 'unknown';
			throw error;
		}
	}

	#callOf(event: EventOf<'tool:call'>): AgentHook | null {
		const { tool, input } = event;
		const deed = recordedDeed(event);
		return deed && { ...this.#headOf(event), at: 'call', call: { tool, input, deed } };
	}

	#headOf({ sessionId, agentId, toolUseId }: KnownEvent): HookHead {
		return { agent: this.#agent, name: '', sessionId, agentId, toolUseId, cwd: this.cwd, raw: {} };
	}
}

class NotRecorded extends Error {}

/** Stands for a part of the context that no event holds. */
function notRecorded(): never {
	throw new NotRecorded();
}

/** No event holds the settings of a gate that was off: only those that are tried are known. */
function triedSettings(tried: NonNullable<GateSettings['values']>): GateSettings {
	const valueAt = (path: string) => (Object.hasOwn(tried, path) ? tried[path] : notRecorded());
	const getters = gateSettings.map(({ path }) => [path, { get: () => valueAt(path) }]);
	const values: NonNullable<GateSettings['values']> = Object.defineProperties({}, Object.fromEntries(getters));
	return {
		gates: {},
		onMismatch: 'stop',
		values,
		commands: {
			get exclude() {
				return settingValue(excludedCommands, { values });
			},
		},
	};
}
