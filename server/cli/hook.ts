import { createRequire } from 'node:module';
import { defineCommand } from '../process/command.ts';
import { builtFile } from '../setup/distribution.ts';

/** The node half of the installed hook. Arguments are not checked: exit code 2 for a wrong command line would block the agent. */
export const hook = defineCommand({
	usage: 'hook [--agent NAME] [--profile observe|open|closed|supervisor]',
	about: [
		'Reads one hook input on stdin and prints one JSON object or nothing. Asks the running server, or judges the input',
		'itself if no server runs. `init` registers a faster form; use this one for other installers and to try something out.',
		'The profile is the answer if nothing can be judged: observe prints nothing, open lets the call pass and prints why,',
		'closed denies it. Default: supervisor if CCC_SUPERVISOR_ID is set, otherwise open. An unknown one counts as closed.',
	].join('\n'),
	options: {
		agent: { type: 'string', value: 'NAME', about: 'the client that asks (default: claude-code)' },
		profile: { type: 'string', value: 'P', about: 'the answer if nothing can be judged (default: see above)' },
	},
	examples: ['signalbox hook --profile open < input.json', 'signalbox hook --agent codex < input.json'],
	exits: {
		0: 'answered, also with a denial',
		2: 'supervisor profile only: the input cannot be read, the reason is on stderr',
	},
	raw: true,
	run(_values, words) {
		process.argv.splice(2, process.argv.length, ...words);
		createRequire(import.meta.url)(builtFile('hook.cjs'));
		// The hook ends the process when it has printed its answer.
		return new Promise<never>(() => {});
	},
});
