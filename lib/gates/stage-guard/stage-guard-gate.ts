import type { AgentHook } from '../../agents/agent-hook.ts';
import { agentNameOf, GENERAL_AGENT } from '../../routing/agent-name.ts';
import { printable } from '../../text/printable.ts';
import { agentOfStage, nextStages, skippedBy, stageForAgent } from '../../workflow/next-stages.ts';
import { isPaused, isRunning } from '../../workflow/workflow-state.ts';
import { type Facts, type Fingerprint, isName, type Verdict } from '../gate.ts';
import type { GateContext } from '../gate-context.ts';
import { defineGate } from '../gate-row.ts';
import { STAGES_ARE_TOLD } from '../guidance.ts';

/** The name of this gate in verdicts, denials and approvals. */
export const STAGE_GATE = 'stage-guard';

/** What the gate looks at: kept with the verdict, so that it can be judged again later. */
export interface StageFacts {
	project: string;
	tool: string;
	/** The agent that the call starts. */
	actual: string;
	workflowType: string;
	/** A person paused the workflow: then nothing of it binds the agent. */
	paused: boolean;
	/** Names the run of the workflow together with its type. */
	createdAt: string;
	/** The stage that the agent would work on; null for an agent of no stage here. */
	stage: string | null;
	/** Pending stages that would be skipped, in order. */
	skipped: string[];
	/** The agents of the stages that come next. */
	expected: string[];
}

/** Collects the gate's facts; null without a running workflow, where there is nothing to guard. */
function stageFacts(hook: AgentHook, { project, workflow }: GateContext): StageFacts | null {
	const state = workflow();
	if (!isRunning(state) || hook.at !== 'call' || hook.call.deed.does !== 'start-agent') return null;
	const { tool } = hook.call;
	const actual = agentNameOf(hook.call.deed.asked.type) ?? GENERAL_AGENT;
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

/**
 * Seed 001: an agent may start unless that would skip a stage of the workflow. The order of a parallel group, stages
 * that already run, runs of finished stages and agents of no stage are all free.
 */
function judgeStage(facts: StageFacts): Verdict {
	const say = (decision: 'pass' | 'deny', rule: string, reason: string): Verdict => ({
		gate: STAGE_GATE,
		decision,
		rule: `stage.${rule}`,
		reason,
		facts: { ...facts },
	});
	if (facts.stage === null) return say('pass', 'no-stage', 'the agent works on no stage of this workflow');
	if (facts.paused) return say('pass', 'paused', 'the workflow is paused');
	if (facts.skipped.length === 0) return say('pass', 'in-order', `no stage before ${facts.stage} is pending`);
	const skipped = facts.skipped.map((key) => printable(key, 60)).join(', ');
	const first = facts.expected.map((agent) => printable(agent, 60)).join(' and ');
	return say(
		'deny',
		'skips-required',
		`${printable(facts.stage, 60)} would skip ${skipped} of the workflow ${printable(facts.workflowType, 60)}. Delegate ${first} first`,
	);
}

/** This run of the workflow, the agent, its stage and what it would skip. */
function stageFingerprint(facts: Facts): Fingerprint | null {
	const { project, workflowType, createdAt, actual, stage, skipped } = facts;
	if (!isName(project) || !isName(workflowType) || !isName(createdAt) || !isName(actual) || !isName(stage)) return null;
	if (!Array.isArray(skipped) || !skipped.every(isName)) return null;
	return {
		key: JSON.stringify([STAGE_GATE, project, workflowType, createdAt, actual, stage, skipped]),
		words: `agent ${actual} for ${stage}, skipping ${skipped.join(', ')}, in the workflow ${workflowType} of project ${project}`,
	};
}

/** Seed 001: stages in their order. */
export const stageGuard = defineGate({
	id: STAGE_GATE,
	setting: 'stageGuard',
	at: ['call'],
	deeds: ['start-agent', 'use-skill'],
	start: 'on',
	profile: 'open',
	rests: STAGES_ARE_TOLD,
	mayHold: true,
	settings: [],
	seed: '001',
	denies: { 'stage.skips-required': 'an agent that would skip a stage of the running workflow' },
	fingerprint: stageFingerprint,
	judged: { facts: stageFacts, judge: judgeStage },
});
