import { SHELL_TOOL } from '../commands/shell-tool.ts';
import { SPAWNING_TOOLS, SUBAGENT_TOOLS } from '../routing/agent-name.ts';
import { QUESTION_TOOL, REVIEW_FAILED_RULE, REVIEW_RULE, SUPERVISOR_GATE } from '../supervisor/hook-forms.ts';
import {
	COMPLETION_VALIDATOR_GATE,
	completionFingerprint,
	SPAWN_GATE,
	spawnFingerprint,
} from '../validators/validator-gates.ts';
import { commandFingerprint } from './command-policy/command-fingerprint.ts';
import { COMMAND_GATE, COMMAND_TOOLS } from './command-policy/command-gate-name.ts';
import type { GateRow } from './gate-row.ts';
import { LOOP_GATE } from './loop/loop-gate.ts';
import { COMPLETION_GATE } from './routing-completion/routing-completion-gate.ts';
import { ENFORCED_TOOLS, ENFORCER_GATE, enforcerFingerprint } from './routing-enforcer/routing-enforcer-gate.ts';
import { ROUTING_GATE, routingFingerprint } from './routing-plan/routing-plan-gate.ts';
import { STAGE_GATE, stageFingerprint } from './stage-guard/stage-guard-gate.ts';

const PLAN_IS_A_FILE = { guidance: 'The routing plan is a file of the project, and the agent can write it.' };
const STAGES_ARE_TOLD = {
	guidance:
		'Stages end by what hooks report and boxes are lines of a file, and the agent can forge the one and tick the other.',
};
const MODEL_READS_THE_AGENT = { guidance: 'A model judges by what the agent says of its tasks.' };

/**
 * Every gate, in the order in which they stand on the rules page. The one table that drives settings, holding, the
 * installer's entries, docs/guide/gates.md and the rules page: a new gate is a row here, beside its judge.
 */
export const gateTable = [
	{
		id: ROUTING_GATE,
		title: 'routing plan',
		setting: 'routing',
		hooks: ['PreToolUse'],
		tools: SPAWNING_TOOLS,
		start: 'on',
		profile: 'open',
		rests: PLAN_IS_A_FILE,
		mayHold: true,
		settings: ['gates.routing.onMismatch'],
		seed: '000',
		denies: { 'routing.agent-in-plan': 'a sub-agent that the active routing plan does not expect' },
		fingerprint: routingFingerprint,
	},
	{
		id: ENFORCER_GATE,
		title: 'routing enforcer',
		setting: 'routingEnforcer',
		hooks: ['PreToolUse'],
		tools: ENFORCED_TOOLS,
		start: 'off',
		profile: 'open',
		rests: {
			guidance:
				'The plan and `auto-fix-state.json`, which lets everything through for a repair, are files that the agent can write.',
		},
		mayHold: true,
		settings: [],
		seed: '000',
		denies: {
			'enforcer.delegate': 'work by the main agent itself while its plan has open tasks',
			'enforcer.plan-mode': 'plan mode in a routed session',
		},
		fingerprint: enforcerFingerprint,
	},
	{
		id: COMPLETION_GATE,
		title: 'routing completion',
		setting: 'routingCompletion',
		hooks: ['Stop'],
		tools: [],
		start: { where: 'the plan has `maxRetries`' },
		profile: 'open',
		rests: PLAN_IS_A_FILE,
		mayHold: false,
		settings: [],
		seed: '000',
		denies: { 'routing.open-tasks': 'stopping while tasks of the active plan are open' },
	},
	{
		id: 'agent-router',
		title: 'agent router',
		setting: 'agentRouter',
		hooks: ['UserPromptSubmit'],
		tools: [],
		start: 'on',
		profile: 'open',
		rests: { guidance: 'It only says what to do, and the task file that it reads is one that the agent can write.' },
		mayHold: false,
		settings: [],
		seed: '000',
		denies: {},
	},
	{
		id: STAGE_GATE,
		title: 'stage guard',
		setting: 'stageGuard',
		hooks: ['PreToolUse'],
		tools: SPAWNING_TOOLS,
		start: 'on',
		profile: 'open',
		rests: STAGES_ARE_TOLD,
		mayHold: true,
		settings: [],
		seed: '001',
		denies: { 'stage.skips-required': 'an agent that would skip a stage of the running workflow' },
		fingerprint: stageFingerprint,
	},
	{
		id: LOOP_GATE,
		title: 'loop',
		setting: 'loop',
		hooks: ['Stop'],
		tools: [],
		start: 'on',
		profile: 'open',
		rests: STAGES_ARE_TOLD,
		mayHold: false,
		settings: ['workflow.enabled'],
		seed: '001',
		denies: {
			'loop.open-stages': 'stopping while stages of the workflow are open',
			'loop.open-boxes': 'stopping while tasks of the feature are open',
		},
	},
	{
		id: SUPERVISOR_GATE,
		title: 'supervisor',
		setting: 'supervisor',
		hooks: ['Stop', 'PreToolUse'],
		tools: [QUESTION_TOOL],
		start: { where: '`signalbox supervisor on` was run for the session' },
		profile: 'supervisor',
		rests: { guidance: 'The reviewer reads what the agent wrote, and its switch is a file that the agent can write.' },
		mayHold: 'if-asked',
		settings: ['supervisor.maxIterations', 'supervisor.timeoutSeconds'],
		seed: '004',
		denies: {
			[REVIEW_RULE]: 'stopping, or asking the person, while the reviewer sees something left to do',
			[REVIEW_FAILED_RULE]: 'stopping, or asking the person, when the review failed',
		},
	},
	{
		id: SPAWN_GATE,
		title: 'spawn validator',
		setting: 'spawnValidator',
		hooks: ['PreToolUse'],
		tools: [...SUBAGENT_TOOLS, SHELL_TOOL],
		start: 'off',
		profile: 'open',
		rests: MODEL_READS_THE_AGENT,
		mayHold: true,
		settings: ['llm.provider', 'llm.model'],
		seed: '002',
		denies: {
			'spawn.needs-breakdown': 'a sub-agent for a task that, as a model judges, must be broken down first',
			'spawn.unknown-parent': 'a sub-agent that names an unknown parent task',
		},
		fingerprint: spawnFingerprint,
	},
	{
		id: COMPLETION_VALIDATOR_GATE,
		title: 'completion validator',
		setting: 'completionValidator',
		hooks: ['PreToolUse', 'TaskCompleted'],
		tools: ['TaskUpdate', 'TodoWrite', 'Write', 'Edit', 'MultiEdit'],
		start: 'on',
		profile: 'open',
		rests: MODEL_READS_THE_AGENT,
		mayHold: true,
		settings: ['llm.provider', 'llm.model'],
		seed: '002',
		denies: {
			'completion.no-logical-next': 'completing a task while others remain and a model finds that none of them follows',
		},
		fingerprint: completionFingerprint,
	},
	{
		id: COMMAND_GATE,
		title: 'command policy',
		setting: 'commandPolicy',
		hooks: ['PreToolUse'],
		tools: COMMAND_TOOLS,
		start: { where: '`commands.exclude` names a command' },
		profile: 'closed',
		rests: 'guard',
		mayHold: true,
		settings: ['commands.exclude'],
		seed: '003',
		fingerprint: commandFingerprint,
		denies: {
			'command.excluded': 'a command line that would run an excluded command anywhere in it',
			'command.unknowable': 'a command line where only running it would show what runs',
			'command.unparsable': 'a command line that cannot be read',
			'command.too-long': 'a command line that is too long to be followed',
		},
	},
] as const satisfies readonly GateRow[];

type Row = (typeof gateTable)[number];

/** The names of gates in settings: `gates.<name>`. */
export type GateSetting = Row['setting'];

/** A gate's row by its name in verdicts; undefined for a gate of another version. */
export function gateById(id: string): GateRow | undefined {
	return gateTable.find((row) => row.id === id);
}
