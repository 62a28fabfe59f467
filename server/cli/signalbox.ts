#!/usr/bin/env node
import { overtoneHome } from '#hooks-bridge/disk/overtone-home.ts';
import type { Terminal } from '../process/command.ts';
import { failureWords } from '../process/failure-words.ts';
import { nodeProblem } from '../process/oldest-node.ts';
import { programName, withHome } from '../process/program-name.ts';
import { dispatch } from './dispatch.ts';

const printError = (line: string) => void process.stderr.write(`${line}\n`);

// A command does its work even if nobody reads its messages.
process.stderr.on('error', () => {});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	// A reader that stops early (`signalbox --help | head -1`) is not an error.
	if (error.code === 'EPIPE') process.exit(0);
	printError(`The output was cut short: ${failureWords(error)}`);
	process.exit(1);
});

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
	printError(problem);
	process.exit(1);
}

/** How the program was called. In a deleted folder only a hook continues, since it must not break its agent. */
function calledFrom(): Pick<Terminal, 'cwd' | 'program' | 'programHere'> {
	try {
		const cwd = process.cwd();
		const program = programName(process.env.PATH ?? '', cwd);
		return { cwd, program, programHere: withHome(program, overtoneHome(process.env), process.env) };
	} catch {
		if (process.argv[2] === 'hook') return { cwd: '/' };
		printError('The folder that you are in is gone. Go to another one, then try again.');
		process.exit(1);
	}
}

process.exitCode = await dispatch(process.argv.slice(2), {
	...calledFrom(),
	env: process.env,
	print: (line) => void process.stdout.write(`${line}\n`),
	say: printError,
});
