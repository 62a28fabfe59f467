import type { Settings } from '#lib/settings/settings.ts';
import { decay } from '#lib/workflow/observation.ts';
import { type Guide, promptContext, recoveryMessage } from '#lib/workflow/workflow-messages.ts';
import { isRunning, type WorkflowState } from '#lib/workflow/workflow-state.ts';
import { textOf } from '../../agents/claude-code/json.ts';
import { addContext, type HookOutput } from '../../agents/claude-code/outputs.ts';
import type { FlowCall } from './flow-part.ts';
import type { Flow } from './flow-port.ts';
import { noteSighting } from './note-sighting.ts';

const BANNER = 'Signalbox watches this session.';

/**
 * What a session is told without being asked (seed 001): a banner and the open tasks at its start, the way to
 * a workflow or the progress with a prompt, the state of the workflow at a compaction. Nothing where neither a workflow
 * runs, nor the settings ask for it, nor the project has features in progress.
 */
export function guideSession(call: FlowCall, flow: Flow | null, settings: Settings): HookOutput {
	const { input, root, ports } = call;
	const running = flow !== null && isRunning(flow.workflow) ? flow.workflow : null;
	const tasks = ports.features.tasks(root, running?.featureName);
	const guides = settings.workflow.enabled ?? (running !== null || tasks !== null);
	if (!guides && running === null) return null;
	const recovery = recoveryMessage(running, tasks?.message ?? null, ports.sessionFiles.handoffs(input.sessionId));
	switch (input.hook) {
		case 'SessionStart':
			return startSession(call, recovery ?? tasks?.message ?? null);
		case 'PreCompact':
			return recovery === null ? null : { systemMessage: recovery };
		case 'UserPromptSubmit':
			return guidePrompt(call, running, guides ? guideOf(settings) : null);
		default:
			return null;
	}
}

function guidePrompt(call: FlowCall, running: WorkflowState | null, guide: Guide): HookOutput {
	const { input } = call;
	if (running) {
		const seen = { trigger: 'a prompt during a workflow', action: `${running.workflowType} is in progress` };
		noteSighting(call, { type: 'workflow_routing', tag: `wf-${running.workflowType}`, ...seen });
	}
	const context = promptContext(textOf(input.fields.prompt, 100_000) ?? '', running, guide);
	if (context === null || (context.once && wasPointed(call))) return null;
	return { ...(context.points && { systemMessage: context.text }), ...addContext(input.hook, context.text) };
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
const guideOf = ({ workflow }: Settings): Guide => (workflow.enabled === true ? 'skills' : 'command');

function startSession({ input, ports }: FlowCall, message: string | null): HookOutput {
	ports.sessionFiles.prepare(input.sessionId);
	const now = ports.now();
	ports.sessionFiles.observe(input.sessionId, (known) => (known.length === 0 ? null : decay(known, now)));
	if (message === null) return { systemMessage: BANNER };
	return { systemMessage: `${BANNER}\n${message}`, ...addContext(input.hook, message) };
}
