import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import type { Observation } from '#lib/contract/sessions/read-model/observation.ts';
import type { WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { parsedObject } from '#lib/json/json.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { decay, habitsMessage, inheritHabits, pickHabits } from '#lib/workflow/observation.ts';
import { clipRecovery, type Guide, promptContext, recoveryMessage } from '#lib/workflow/workflow-messages.ts';
import type { ReadPorts } from '../../ports/ports.ts';
import { LAST_URL, SERVER_PROGRAM, serverUrl } from '../../ports/server-url.ts';
import type { Effect } from '../perform-effects.ts';
import { eventsOnly, joinRulings, type Ruling } from '../record.ts';
import type { FlowCall } from './flow-call.ts';

/**
 * Guidance that nobody asked for (seed 001): banner and open tasks at the start, progress with a prompt, the workflow's state at
 * a compaction. None without a workflow, a setting that asks for it, or features in progress.
 */
export function guideSession(call: FlowCall, running: WorkflowState | null): Ruling {
	const { hook, context } = call;
	if (hook.at !== 'session-start' && hook.at !== 'compact' && hook.at !== 'prompt') return eventsOnly([]);
	const tasks = context.tasks();
	const guides = context.settings.workflow.enabled ?? (running !== null || tasks !== null);
	if (!guides && running === null) return eventsOnly([]);
	const { habits, handoffs } = context.ports.sessionFiles;
	if (hook.at === 'prompt') {
		const guided = guidePrompt(call, hook.text, running, guides ? guideOf(context.settings) : null);
		// A prompt with a workflow command gets no further guidance (seed 001).
		if (hook.text.trimStart().startsWith('/ot:')) return guided;
		const { text, effects } = showHabits(habits(hook.sessionId).filter(({ toldAt }) => toldAt === undefined));
		return joinRulings(guided, {
			decision: text === null ? null : { decision: 'pass', context: text },
			events: [],
			effects,
		});
	}
	const recovery = recoveryMessage(running, tasks?.message ?? null, handoffs(hook.sessionId));
	if (hook.at === 'session-start') return startSession({ ...call, hook }, recovery ?? tasks?.message ?? null);
	if (recovery === null) return eventsOnly([]);
	const { text, effects } = showHabits(habits(hook.sessionId));
	return { decision: { decision: 'pass', message: clipRecovery(recovery, text) }, events: [], effects };
}

const POINTED = {
	type: 'workflow_routing',
	tag: 'open-features',
	trigger: 'a prompt in a project with features in progress',
	action: 'pointed to their tasks',
} as const;

function guidePrompt({ hook, context }: FlowCall, prompt: string, running: WorkflowState | null, guide: Guide): Ruling {
	const effects: Effect[] = [];
	if (running) {
		const seen = { trigger: 'a prompt during a workflow', action: `${running.workflowType} is in progress` };
		effects.push({
			does: 'note-sighting',
			seen: { type: 'workflow_routing', tag: `wf-${running.workflowType}`, ...seen },
		});
	}
	const guidance = promptContext(prompt, running, guide);
	if (guidance === null) return { ...eventsOnly([]), effects };
	if (guidance.once) {
		const isPointed = context.ports.sessionFiles.habits(hook.sessionId).some(({ tag }) => tag === POINTED.tag);
		if (isPointed) return { ...eventsOnly([]), effects };
		effects.push({ does: 'note-sighting', seen: POINTED });
	}
	const { text } = guidance;
	const decision: HookDecision = { decision: 'pass', ...(guidance.points && { message: text }), context: text };
	return { decision, events: [], effects };
}

/** Only `init --plugin` explicitly switches workflows on: without the plugin its skills are missing. */
export const guideOf = ({ workflow }: Pick<Settings, 'workflow'>): Guide =>
	workflow.enabled === true ? 'skills' : 'command';

function startSession({ hook, context }: FlowCall<HookAt<'session-start'>>, message: string | null): Ruling {
	const { project, ports } = context;
	const { habits, othersHabits } = ports.sessionFiles;
	const others = hook.source === 'compact' || project === '' ? [] : othersHabits(hook.sessionId);
	const known = decay(inheritHabits(habits(hook.sessionId), others, project), ports.now());
	const { text, effects } = showHabits(known);
	const banner = writeBanner(ports);
	const guidance = [message, text].filter((part) => part !== null).join('\n');
	const shown = message === null ? banner : `${banner}\n${message}`;
	return {
		decision: { decision: 'pass', message: shown, ...(guidance !== '' && { context: guidance }) },
		events: [],
		effects: [{ does: 'make-folders' }, { does: 'begin-habits', others }, ...effects],
	};
}

/** The habits among these that the agent should read; null without any. */
function showHabits(known: readonly Observation[]): { text: string | null; effects: Effect[] } {
	const picked = pickHabits(known);
	const ids = picked.map(({ id }) => id);
	return { text: habitsMessage(picked), effects: ids.length === 0 ? [] : [{ does: 'mark-shown', ids }] };
}

/** Seed 001: what is watched, and the address of its pages. */
function writeBanner(ports: ReadPorts): string {
	const url = findDashboard(ports);
	return url === null ? 'Signalbox watches this session.' : `Signalbox watches this session: ${url}`;
}

/** The address of this home's pages: of the running server, else of one that a hook starts; null without either. */
function findDashboard({ readHomeFile }: ReadPorts): string | null {
	const holder = readHomeFile('server.lock.json');
	const running = holder.ok ? serverUrl(parsedObject(holder.text)?.url) : null;
	if (running !== null || !readHomeFile(SERVER_PROGRAM).ok) return running;
	const last = readHomeFile(LAST_URL);
	return last.ok ? serverUrl(last.text) : null;
}
