import type { AgentHook } from '../../agents/agent-hook.ts';
import { agentNameOf, GENERAL_AGENT } from '../../routing/routing-state.ts';
import { printable } from '../../text/printable.ts';
import { agentOfStage, nextStages, skippedBy, stageForAgent } from '../../workflow/next-step.ts';
import { isPaused, isRunning } from '../../workflow/workflow-state.ts';
import {
	defineGate,
	type Facts,
	type Fingerprint,
	type GateContext,
	isName,
	STAGES_ARE_REPORTED,
	type Verdict,
	verdictsOn,
} from '../gate.ts';

export const STAGE_GATE = 'stage-guard';

export interface StageFacts {
	project: string;
	tool: string;
	actual: string;
	workflowType: string;
	paused: boolean;
	/** Names the run of the workflow together with its type. */
	createdAt: string;
	/** Null for an agent of no stage here. */
	stage: string | null;
	skipped: string[];
	expected: string[];
}

function stageFacts(hook: AgentHook, { project, workflow }: GateContext): StageFacts | null {
	const state = workflow();
	if (!isRunning(state) || hook.at !== 'call' || hook.call.deed.does !== 'start-agent') return null;
	const { tool } = hook.call;
	const actual = agentNameOf(hook.call.deed.requestedAgent.type) ?? GENERAL_AGENT;
	const stage = stageForAgent(state, actual);
	const { workflowType, createdAt } = state;
	return {
		project,
		tool,
		actual,
		workflowType,
		paused: isPaused(state),
		createdAt,
		stage: stage ?? null,
		skipped: stage === undefined ? [] : skippedBy(state, stage),
		expected: nextStages(state).stages.map(agentOfStage),
	};
}

/** Denies what would skip a stage. The order in a parallel group, running and finished stages and agents of no stage are free. */
function judgeStage(facts: StageFacts): Verdict {
	const verdict = verdictsOn(STAGE_GATE, 'stage', facts);
	if (facts.stage === null) return verdict('pass', 'no-stage', 'the agent works on no stage of this workflow');
	if (facts.paused) return verdict('pass', 'paused', 'the workflow is paused');
	if (facts.skipped.length === 0) return verdict('pass', 'in-order', `no stage before ${facts.stage} is pending`);
	const skipped = facts.skipped.map((key) => printable(key, 60)).join(', ');
	const first = facts.expected.map((agent) => printable(agent, 60)).join(' and ');
	return verdict(
		'deny',
		'skips-required',
		`${printable(facts.stage, 60)} would skip ${skipped} of the workflow ${printable(facts.workflowType, 60)}. Delegate ${first} first`,
	);
}

function stageFingerprint(facts: Facts): Fingerprint | null {
	const { project, workflowType, createdAt, actual, stage, skipped } = facts;
	if (!isName(project) || !isName(workflowType) || !isName(createdAt) || !isName(actual) || !isName(stage)) return null;
	if (!Array.isArray(skipped) || !skipped.every(isName)) return null;
	return {
		key: JSON.stringify([STAGE_GATE, project, workflowType, createdAt, actual, stage, skipped]),
		words: `agent ${actual} for ${stage}, skipping ${skipped.join(', ')}, in the workflow ${workflowType} of project ${project}`,
	};
}

export const stageGuard = defineGate({
	id: STAGE_GATE,
	setting: 'stageGuard',
	at: ['call'],
	deeds: ['start-agent', 'use-skill'],
	start: 'on',
	profile: 'open',
	basis: STAGES_ARE_REPORTED,
	mayHold: true,
	settings: [],
	seed: '001',
	denies: { 'stage.skips-required': 'an agent that would skip a stage of the running workflow' },
	fingerprint: stageFingerprint,
	judgedBy: { facts: stageFacts, judge: judgeStage },
});
