import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { english, type Say } from '../messages/say.ts';
import { clip } from '../text/printable.ts';
import { stageBase } from '../workflow/stage-keys.ts';
import { isPaused } from '../workflow/workflow-state.ts';
import { isAgentOpen } from './fold-agent.ts';
import { stageLooks } from './stage-looks.ts';
import type { AgentView, SessionView } from './view.ts';
import { type StageView, standingOf, type WorkflowPart, type WorkflowProgress } from './workflow-progress.ts';

const REASON_CHARS = 120;
const NAME_CHARS = 60;
/** More agents are counted. */
const NAMED = 4;

/** `TEST:2 (fail): 3 tests failed`: which stage, how it ended, and why as far as its agent said. */
export function failureOf(stage: StageView, say: Say = english): string {
	const how = `${stage.key} (${say(stageLooks[standingOf(stage)].word)})`;
	return stage.again === undefined ? how : `${how}: ${clip(stage.again, REASON_CHARS)}`;
}

/** What goes on: the stages that run and who works on them; where the workflow stands still, why, and who works yet. */
export function nowOf(view: WorkflowPart, progress: WorkflowProgress, say: Say = english): string {
	const why = standstillOf(view.workflow, say);
	const running = atWork(view.agents, progress, why !== null, say).join(' + ');
	if (why === null) return running || say('no stage runs');
	return running ? say('{why}; still at work: {running}', { why, running }) : why;
}

function standstillOf(workflow: SessionView['workflow'], say: Say): string | null {
	const { how, reason } = workflow?.ended ?? {};
	if (how === 'complete') return say('complete');
	if (how === 'abort') return reason ? say('aborted: {reason}', { reason }) : say('aborted');
	if (workflow?.fatal) return say('stopped: {reason}', { reason: workflow.fatal.reason });
	return isPaused(workflow) ? say('paused by a person') : null;
}

/** `DEV by developer`; with `agentsOnly` without stages that nobody works on. */
function atWork(agents: readonly AgentView[], { active }: WorkflowProgress, agentsOnly: boolean, say: Say): string[] {
	const open = agents.filter(isAgentOpen).map((agent) => ({ ...agent, name: clip(agent.name, NAME_CHARS) }));
	const worksOn = (key: string, { stage }: AgentView): boolean => stage === key || stage === stageBase(key);
	const stages = active.flatMap(({ key }) => {
		const names = open.filter((agent) => worksOn(key, agent)).map(({ name }) => name);
		if (names.length > 0) return [say('{stage} by {agents}', { stage: key, agents: someOf(names, say).join(', ') })];
		return agentsOnly ? [] : [key];
	});
	const beside = open.filter((agent) => !active.some(({ key }) => worksOn(key, agent)));
	return [
		...stages,
		...someOf(
			beside.map(({ name }) => say('{agent} (no stage)', { agent: name })),
			say,
		),
	];
}

/** The first few and how many more there are. */
function someOf(names: readonly string[], say: Say): string[] {
	if (names.length <= NAMED) return [...names];
	return [...names.slice(0, NAMED), say('{count} more', { count: names.length - NAMED })];
}

/** What comes next: who repairs, then which stages, or that a person must say. */
export function nextOf(
	workflow: WorkflowState,
	{ next, before, active }: WorkflowProgress,
	say: Say = english,
): string {
	if (isPaused(workflow)) return say('nothing until it is resumed');
	if (workflow.ended) return say('nothing');
	if (workflow.fatal) return say('a person’s word: go on, or stop');
	if (next.length === 0) return active.length > 0 ? say('the end') : say('nothing');
	const steps = next.join(' + ');
	return before.length > 0 ? say('{first}, then {steps} again', { first: before.join(', '), steps }) : steps;
}
