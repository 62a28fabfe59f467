import { randomUUID } from 'node:crypto';
import {
	pauseWorkflow,
	resumeWorkflow,
	startWorkflow,
	stopLoop,
	stopWorkflow,
	type WorkflowChanged,
	type WorkflowService,
	workflowStatus,
} from '#hooks-bridge/engine/workflow/run-workflow.ts';
import { withNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { printable } from '#lib/text/printable.ts';
import { nextStep, stageLine } from '#lib/workflow/next-step.ts';
import { workflows } from '#lib/workflow/registry.ts';
import { agentOfKey } from '#lib/workflow/workflow-state.ts';
import { defineCommand, EXIT, type Terminal, UsageError } from '../process/command.ts';
import { homeOf, writableHomeOf } from '../process/home.ts';
import { folderOf, sessionOf } from '../timeline/find-session.ts';

/** Without a session the command applies to `_home`, which is rarely intended. */
const NO_SESSION = 'No session is live in this project: start the agent, or give its session with --session.';
const TYPES = Object.keys(workflows);

export const workflow = defineCommand({
	usage:
		'workflow start TYPE [--feature NAME] | status | pause | resume | stop [--loop] [--session ID] [--project DIR]',
	about: [
		'Starts, shows, pauses, resumes or stops the workflow of a session. While it runs, agents cannot skip its stages, and',
		'the agent continues until all stages and tasks are done.',
		'  start TYPE  start a workflow; if one of this type already runs, give it the feature',
		'  status      print the stages, the agents at work and the next step',
		'  pause       let the agent rest; what is done and open is retained',
		'  resume      continue a paused workflow, or one that reached a limit, with the stages that passed',
		'  stop        end the workflow, or with --loop only its loop',
		`Types: ${TYPES.slice(0, 9).join(', ')},`,
		`${TYPES.slice(9).join(', ')}.`,
	].join('\n'),
	options: {
		feature: { type: 'string', value: 'NAME', about: 'start: the feature to work on; created if it does not exist' },
		loop: { type: 'boolean', about: "stop: end only the loop; the workflow ends with the agent's turn" },
		session: {
			type: 'string',
			value: 'ID',
			about: 'session (default: CLAUDE_CODE_SESSION_ID, else the newest live one of the project, else _home)',
		},
		project: { type: 'string', value: 'DIR', about: 'project folder (default: that of --session, else this one)' },
	},
	verbs: { start: 1, status: 0, pause: 0, resume: 0, stop: 0 },
	examples: [
		'signalbox workflow start standard --feature user-login',
		'signalbox workflow status',
		'signalbox workflow pause',
		'signalbox workflow stop --session 3f2a',
	],
	exits: { 0: 'done', 1: 'refused, e.g. another workflow runs, or none does' },
	run(values, [verb, type], terminal) {
		const home = homeOf(terminal);
		return withNodePorts(home, (ports) => {
			const project = ports.projectRootOf(folderOf(values, home, terminal));
			const sessionId = sessionOf(values.session, home, project, terminal);
			const service = { sessionId, project, requestId: randomUUID(), ports };
			switch (verb) {
				case 'start':
					if (type === undefined) throw new UsageError(`Give a type: ${TYPES.join(', ')}.`);
					return start(service, type, values.feature, terminal);
				case 'status':
					return status(service, terminal);
				case 'stop':
					if (values.loop) return report(stopLoop(service), 'The loop is stopped', service, terminal);
					if (!stopWorkflow(service)) throw none(service, 'runs in');
					terminal.print(`The workflow of session ${sessionId} is stopped.`);
					return EXIT.done;
				case 'pause':
					return report(pauseWorkflow(service), 'The workflow is paused', service, terminal);
				case 'resume':
					return report(resumeWorkflow(service), 'The workflow continues with the next prompt', service, terminal);
			}
		});
	},
});

function report(done: WorkflowChanged, words: string, { sessionId }: WorkflowService, terminal: Terminal): number {
	if (done.ok) terminal.print(`${words} (session ${sessionId}).`);
	else terminal.say(sessionId === HOME_SESSION ? `${done.detail} ${NO_SESSION}` : done.detail);
	return done.ok ? EXIT.done : EXIT.failed;
}

function start(service: WorkflowService, type: string, feature: string | undefined, terminal: Terminal): number {
	writableHomeOf(terminal);
	const begun = startWorkflow(service, type, feature);
	if (!begun.ok) {
		terminal.say(begun.detail);
		return begun.code === 'workflow/unknown' ? EXIT.usage : EXIT.failed;
	}
	const how = begun.how === 'started' ? 'started' : 'runs already';
	terminal.print(
		`Workflow ${type} ${how} in session ${service.sessionId}${begun.feature ? ` for ${begun.feature}` : ''}.`,
	);
	terminal.print(stageLine(begun.state));
	terminal.print(nextStep(begun.state) ?? '');
	if (service.sessionId === HOME_SESSION) {
		terminal.say(
			[
				'No session is live in this project, so no agent follows this workflow.',
				`Start the agent, then run \`signalbox workflow start ${type}\` again, or give a session with --session.`,
				'`signalbox workflow stop --session _home` ends this one.',
			].join(' '),
		);
	}
	return EXIT.done;
}

function none({ sessionId }: WorkflowService, how: string): Error {
	const advice = sessionId === HOME_SESSION ? ` ${NO_SESSION}` : '';
	return new Error(`No workflow ${how} session ${sessionId}.${advice}`);
}

function status(service: WorkflowService, terminal: Terminal): number {
	const { ports, sessionId } = service;
	const found = workflowStatus(ports, sessionId);
	if (!found) throw none(service, 'is recorded for');
	const { workflow: state, loop } = found;
	const how = state.ended
		? state.ended.how === 'abort'
			? 'was aborted'
			: 'is complete'
		: state.paused
			? 'is paused'
			: 'runs';
	terminal.print(`Workflow ${printable(state.workflowType)} ${how} in session ${sessionId}.`);
	terminal.print(stageLine(state));
	for (const [key, one] of Object.entries(state.activeAgents)) {
		terminal.print(
			`at work: ${printable(agentOfKey(key))} on ${printable(one.stage)} since ${printable(one.startedAt)}`,
		);
	}
	terminal.print(
		`failed ${state.failCount}, rejected ${state.rejectCount}, rounds ${loop?.iteration ?? 0}${state.featureName ? `, feature ${printable(state.featureName)}` : ''}`,
	);
	const step = nextStep(state);
	if (step !== null) terminal.print(step);
	if (state.ended ? state.ended.how === 'abort' && loop?.stopReason !== 'stopped' : state.fatal) {
		terminal.print('`signalbox workflow resume` continues it with the stages that passed.');
	}
	if (!state.ended && loop?.stopped) terminal.print("Its loop is stopped: it ends with the agent's turn.");
	return EXIT.done;
}
