import { isAgentOpen } from '#lib/session/fold-agent.ts';
import type { AgentView, SessionView } from '#lib/session/view.ts';
import {
	type StageView,
	standingOf,
	type WorkflowPart,
	type WorkflowProgress,
} from '#lib/session/workflow-progress.ts';
import { clip } from '#lib/text/printable.ts';
import { stageBase } from '#lib/workflow/stage-keys.ts';
import { isPaused, type WorkflowState } from '#lib/workflow/workflow-state.ts';

const REASON_CHARS = 120;
const NAME_CHARS = 60;
/** More agents are counted. */
const NAMED = 4;

/** `TEST:2 (fail): 3 tests failed`: which stage, how it ended, and why as far as its agent said. */
export function failureOf(stage: StageView): string {
	const how = `${stage.key} (${standingOf(stage)})`;
	return stage.again === undefined ? how : `${how}: ${clip(stage.again, REASON_CHARS)}`;
}

/** What goes on: the stages that run and who works on them; where the workflow stands still, why, and who works yet. */
export function nowOf(view: WorkflowPart, progress: WorkflowProgress): string {
	const why = standstillOf(view.workflow);
	const running = atWork(view.agents, progress, why !== null).join(' + ');
	if (why === null) return running || 'no stage runs';
	return running ? `${why}; still at work: ${running}` : why;
}

function standstillOf(workflow: SessionView['workflow']): string | null {
	const { how, reason } = workflow?.ended ?? {};
	if (how === 'complete') return 'complete';
	if (how === 'abort') return reason ? `aborted: ${reason}` : 'aborted';
	if (workflow?.fatal) return `stopped: ${workflow.fatal.reason}`;
	return isPaused(workflow) ? 'paused by a person' : null;
}

/** `DEV by developer`; with `agentsOnly` without stages that nobody works on. */
function atWork(agents: readonly AgentView[], { active }: WorkflowProgress, agentsOnly: boolean): string[] {
	const open = agents.filter(isAgentOpen).map((agent) => ({ ...agent, name: clip(agent.name, NAME_CHARS) }));
	const worksOn = (key: string, { stage }: AgentView): boolean => stage === key || stage === stageBase(key);
	const stages = active.flatMap(({ key }) => {
		const names = open.filter((agent) => worksOn(key, agent)).map(({ name }) => name);
		if (names.length > 0) return [`${key} by ${someOf(names).join(', ')}`];
		return agentsOnly ? [] : [key];
	});
	const beside = open.filter((agent) => !active.some(({ key }) => worksOn(key, agent)));
	return [...stages, ...someOf(beside.map(({ name }) => `${name} (no stage)`))];
}

/** The first few and how many more there are. */
function someOf(names: readonly string[]): string[] {
	return names.length > NAMED ? [...names.slice(0, NAMED), `${names.length - NAMED} more`] : [...names];
}

/** What comes next: who repairs, then which stages, or that a person must say. */
export function nextOf(workflow: WorkflowState, { next, before, active }: WorkflowProgress): string {
	if (isPaused(workflow)) return 'nothing until it is resumed';
	if (workflow.ended) return 'nothing';
	if (workflow.fatal) return 'a person’s word: go on, or stop';
	if (next.length === 0) return active.length > 0 ? 'the end' : 'nothing';
	const steps = next.join(' + ');
	return before.length > 0 ? `${before.join(', ')}, then ${steps} again` : steps;
}
