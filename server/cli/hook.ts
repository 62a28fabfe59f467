import { createRequire } from 'node:module';
import { defineCommand } from '../process/command.ts';
import { builtFile } from '../setup/distribution.ts';

/**
 * `signalbox hook`: the installed hook's node half, in this process. Its arguments are not checked here, because the
 * exit code of a wrong command line (2) would block the agent.
 */
export const hook = defineCommand({
	usage: 'hook [--agent NAME] [--profile observe|open|closed|supervisor]',
	about: [
		'Reads one hook input on stdin and prints one JSON object or nothing. Asks the running server, and judges by',
		'itself when there is none. What `init` registers is faster; this is for other installers and for trying out.',
		'The profile says what is answered when nothing can be judged (default: supervisor if CCC_SUPERVISOR_ID is set,',
		'else open): observe says nothing, open lets the call pass and says why, closed denies. An unknown one counts as closed.',
	].join('\n'),
	options: {
		agent: { type: 'string', value: 'NAME', about: 'the client that asks (default: claude-code)' },
		profile: { type: 'string', value: 'P', about: 'what to answer when nothing can be judged' },
	},
	examples: ['signalbox hook --profile open < input.json', 'signalbox hook --agent codex < input.json'],
	exits: {
		0: 'answered; a denial too',
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
