import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { sandboxEntry } from '#lib/commands/sandbox-entry.ts';
import type { GateContext } from '#lib/gates/gate-context.ts';
import { isAutoFix } from '#lib/routing/auto-fix.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { isRunning } from '#lib/workflow/workflow-state.ts';
import type { FeatureTasks, Flow } from '../ports/flow-port.ts';
import type { HookRun, ReadPorts } from '../ports/ports.ts';
import { planInForce } from './last-plan.ts';
import { once } from './once.ts';
import { type FoundPlan, findPlan, findSettings } from './project.ts';

const AUTO_FIX_PATH = '.vibe-engine/auto-fix-state.json';

/** A gate's world, with what else the engine looks at for the same hook. */
export interface HookContext extends GateContext {
	settings: Settings;
	foundPlan(): FoundPlan;
	/** The session's workflow and loop; null where it never had one. */
	flow(): Flow | null;
	/** The tasks of the running workflow's feature, else of the project's first one in progress. */
	tasks(): FeatureTasks | null;
	/** What else may be looked at. */
	sight: ReadPorts;
}

/** The world as one hook finds it: each part is fetched when it is first asked for, and then stays as it was. */
export function createHookContext(hook: AgentHook, run: HookRun, project: string, sight: ReadPorts): HookContext {
	const { sessionId } = hook;
	const foundPlan = once(() => findPlan(project, sight));
	const flow = once(() => (sight.flow.has(sessionId) ? sight.flow.read(sessionId) : null));
	const isRepairing = once(() => {
		const state = sight.readProjectFile(project, AUTO_FIX_PATH);
		return state.ok && isAutoFix(state.text, sight.now());
	});
	const settings = once(() => findSettings(project, sight));
	return {
		project,
		cwd: hook.cwd ?? run.cwd ?? '',
		get settings() {
			return settings();
		},
		foundPlan,
		plan: once(() =>
			hook.at === 'call' ? planInForce({ sessionId, project }, foundPlan().read, sight) : foundPlan().read,
		),
		flow,
		workflow: () => flow()?.workflow ?? null,
		tasks: once(() => sight.features.tasks(project, featureOf(flow()))),
		canSandbox: () => {
			const program = sight.sandboxEntry?.();
			return program !== undefined && sandboxEntry('', program, project) !== undefined;
		},
		programFile: (word) => sight.programFile?.(word, hook.cwd ?? run.cwd ?? '') ?? null,
		isRepairing: () => hook.at === 'call' && isRepairing(),
		loop: () => null,
		planRest: () => null,
		sight,
	};
}

/** The same world with the workflow as it stands under its lock. */
export function lockHookContext(world: HookContext, flow: Flow): HookContext {
	return { ...world, flow: () => flow, workflow: () => flow.workflow };
}

function featureOf(flow: Flow | null): string | undefined {
	return flow !== null && isRunning(flow.workflow) ? flow.workflow.featureName : undefined;
}
