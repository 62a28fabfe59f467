import type { HookAt } from '#lib/agents/agent-hook.ts';
import type { HookDecision } from '#lib/contract/catalogue/judgement.ts';
import { joinDecisions } from '#lib/gates/hook-decision.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { decay } from '#lib/workflow/observation.ts';
import { clipRecovery, type Guide, promptContext, recoveryMessage } from '#lib/workflow/workflow-messages.ts';
import { isRunning, type WorkflowState } from '#lib/workflow/workflow-state.ts';
import type { Ports } from '../ports.ts';
import { dashboardUrl } from './dashboard-url.ts';
import type { FlowCall } from './flow-part.ts';
import type { Flow } from './flow-port.ts';
import { noteSighting } from './note-sighting.ts';
import { inheritHabits, tellHabits } from './tell-habits.ts';

/** Seed 001: what watches, and where its pages are. */
function bannerOf(ports: Ports): string {
	const url = dashboardUrl(ports);
	return url === null ? 'Signalbox watches this session.' : `Signalbox watches this session: ${url}`;
}

/**
 * What a session is told without being asked (seed 001): a banner and the open tasks at its start, the way to
 * a workflow or the progress with a prompt, the state of the workflow at a compaction. Nothing where neither a workflow
 * runs, nor the settings ask for it, nor the project has features in progress.
 */
export function guideSession(call: FlowCall, flow: Flow | null, settings: Settings): HookDecision | null {
	const { hook, root, ports } = call;
	const running = flow !== null && isRunning(flow.workflow) ? flow.workflow : null;
	const tasks = ports.features.tasks(root, running?.featureName);
	const guides = settings.workflow.enabled ?? (running !== null || tasks !== null);
	if (!guides && running === null) return null;
	const recovery = recoveryMessage(running, tasks?.message ?? null, ports.sessionFiles.handoffs(hook.sessionId));
	switch (hook.at) {
		case 'session-start':
			return startSession({ ...call, hook }, recovery ?? tasks?.message ?? null);
		case 'compact':
			return recovery === null ? null : { decision: 'pass', message: clipRecovery(recovery, tellHabits(call, true)) };
		case 'prompt': {
			// A prompt that calls one of the workflow commands gets nothing beside it (seed 001).
			const habits = hook.text.trimStart().startsWith('/ot:') ? null : tellHabits(call, false);
			const guided = guidePrompt(call, hook.text, running, guides ? guideOf(settings) : null);
			return joinDecisions(guided, habits === null ? null : { decision: 'pass', context: habits });
		}
		default:
			return null;
	}
}

function guidePrompt(call: FlowCall, prompt: string, running: WorkflowState | null, guide: Guide): HookDecision | null {
	if (running) {
		const seen = { trigger: 'a prompt during a workflow', action: `${running.workflowType} is in progress` };
		noteSighting(call, { type: 'workflow_routing', tag: `wf-${running.workflowType}`, ...seen });
	}
	const context = promptContext(prompt, running, guide);
	if (context === null || (context.once && wasPointed(call))) return null;
	const { text } = context;
	return { decision: 'pass', ...(context.points && { message: text }), context: text };
}

const POINTED = {
	type: 'workflow_routing',
	tag: 'open-features',
	trigger: 'a prompt in a project with features in progress',
	action: 'pointed to their tasks',
} as const;

/** Whether the session was pointed to the open features before; from now on it was. */
function wasPointed(call: FlowCall): boolean {
	let before = false;
	noteSighting(call, POINTED, (known) => {
		before = known.some(({ tag }) => tag === POINTED.tag);
		return !before;
	});
	return before;
}

/** Only `init --plugin` switches workflows on in so many words: without it nobody has its skills. */
export const guideOf = ({ workflow }: Settings): Guide => (workflow.enabled === true ? 'skills' : 'command');

function startSession(call: FlowCall<HookAt<'session-start'>>, message: string | null): HookDecision | null {
	const { hook, ports } = call;
	ports.sessionFiles.prepare(hook.sessionId);
	if (hook.source !== 'compact') inheritHabits(call);
	const now = ports.now();
	ports.sessionFiles.observe(hook.sessionId, (known) => (known.length === 0 ? null : decay(known, now)));
	const banner = bannerOf(ports);
	const habits = tellHabits(call, true);
	const told = [message, habits].filter((part) => part !== null).join('\n');
	const shown = message === null ? banner : `${banner}\n${message}`;
	return { decision: 'pass', message: shown, ...(told !== '' && { context: told }) };
}
