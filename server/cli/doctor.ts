import { inEnglish } from '#lib/messages/sentence.ts';
import { type Check, checkTable, type SetUp } from '../doctor/check.ts';
import { checkAgents } from '../doctor/check-agents.ts';
import { checkClient } from '../doctor/check-client.ts';
import { checkEntries } from '../doctor/check-entries.ts';
import { checkLive } from '../doctor/check-live.ts';
import { checkMachine, commandFinder } from '../doctor/check-machine.ts';
import { checkPlan, checkPlugin, checkValues } from '../doctor/check-project.ts';
import { checkServices } from '../doctor/check-services.ts';
import { checkSettings } from '../doctor/check-settings.ts';
import { ourEntries } from '../doctor/our-entries.ts';
import { type Command, EXIT, typed } from '../process/command.ts';
import { clientConfigOf, homeOf, projectOf } from '../process/home.ts';
import { registeredAgents, registeringFor } from '../setup/agents/plan-agent.ts';
import { hookEntries } from '../setup/hook-entries.ts';
import { hasSupervisor } from '../setup/plan-init.ts';
import { forProject, holdSecondsFor } from '../setup/project-settings.ts';

export const doctor: Command = {
	usage: 'doctor [--project DIR] [--live]',
	about: [
		'Checks the set-up of a project: settings files, hook entries, installed hook, server, client, journal, notifications,',
		'model and sandbox. Prints what is wrong and how to fix it. Changes nothing.',
	].join('\n'),
	options: {
		project: { type: 'string', value: 'DIR', about: 'project folder (default: the current one)' },
		live: { type: 'boolean', about: 'also send calls that must be denied through the hooks, and check the answers' },
	},
	examples: ['signalbox doctor', 'signalbox doctor --live --project ~/src/shop'],
	exits: { 0: 'nothing is wrong; there may be warnings', 1: 'something is wrong' },
	async run(values, _words, terminal) {
		const home = homeOf(terminal);
		const project = projectOf(values.project, terminal);
		const setUp: SetUp = { project, home, configDir: clientConfigOf(terminal), env: terminal.env };
		const find = commandFinder(terminal.env.PATH);
		const holdSeconds = holdSecondsFor(home, project);
		const entries = ourEntries(setUp);
		const hasClosed = entries.some(({ profile }) => profile === 'closed');
		const checks: Check[] = [
			...checkSettings(setUp, hookEntries(holdSeconds, hasSupervisor(project)), {
				titles: registeredAgents(terminal, registeringFor(home, project)),
				hasFirst: find('claude') !== undefined,
			}),
			...checkEntries(setUp, entries, holdSeconds, find),
			...checkValues(setUp),
			...checkPlugin(setUp),
			...checkPlan(setUp),
			...(await checkMachine(setUp, find)),
			await checkClient(find, terminal.env, hasClosed),
			...(await checkAgents(setUp, registeringFor(home, project), find)),
			...(await checkServices(setUp, find)),
			...(values.live === true ? await checkLive(setUp, entries) : []),
		];
		terminal.print(`Project ${project}\nHome    ${home}\n`);
		const shown = checks.map(({ fix, ...check }) => ({
			...check,
			...(fix !== undefined && { fix: forProject(inEnglish(fix), project, terminal.cwd) }),
		}));
		for (const line of checkTable(shown)) terminal.print(typed(line, terminal));
		return checks.some(({ state }) => state === 'wrong') ? EXIT.failed : EXIT.done;
	},
};
