import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { GateWorld } from '#lib/gates/gate-world.ts';
import { isAutoFix } from '#lib/routing/auto-fix.ts';
import type { Settings } from '#lib/settings/settings.ts';
import type { HookRun, Ports } from './ports.ts';
import { type FoundPlan, findPlan, findSettings } from './project.ts';
import type { Flow } from './workflow/flow-port.ts';

const AUTO_FIX_PATH = '.vibe-engine/auto-fix-state.json';

/** A gate's world, with what else the engine knows of the same hook. */
export interface World extends GateWorld {
	settings: Settings;
	foundPlan(): FoundPlan;
}

/** What is already known of a hook's world, instead of being fetched. */
export type KnownWorld = Partial<Pick<GateWorld, 'loop' | 'planRest'>> & { flow?: Flow | null; plan?: FoundPlan };

/** The world as one hook finds it: each part is fetched when it is first asked for, and then stays as it was. */
export function createWorld(
	hook: AgentHook,
	run: HookRun,
	project: string,
	ports: Ports,
	known: KnownWorld = {},
): World {
	const foundPlan = once(() => known.plan ?? findPlan(project, ports));
	const flow = once(() => known.flow ?? (ports.flow.has(hook.sessionId) ? ports.flow.read(hook.sessionId) : null));
	const isRepairing = once(() => {
		const state = ports.readProjectFile(project, AUTO_FIX_PATH);
		return state.ok && isAutoFix(state.text, ports.now());
	});
	return {
		project,
		cwd: hook.cwd ?? run.cwd ?? '',
		settings: findSettings(project, ports),
		foundPlan,
		plan: () => foundPlan().read,
		workflow: () => flow()?.workflow ?? null,
		isRepairing: () => hook.at === 'call' && isRepairing(),
		loop: known.loop ?? (() => null),
		planRest: known.planRest ?? (() => null),
	};
}

function once<T>(fetch: () => T): () => T {
	let found: { value: T } | undefined;
	return () => {
		found ??= { value: fetch() };
		return found.value;
	};
}
