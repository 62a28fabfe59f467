#!/usr/bin/env node
import { asTyped } from '#lib/text/as-typed.ts';
import { programName } from '../program-name.ts';
import { dispatch } from './dispatch.ts';

// A reader that stops early (`signalbox --help | head -1`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code === 'EPIPE') process.exit(0);
	throw error;
});

const program = programName(process.env.PATH ?? '', process.cwd());

process.exitCode = await dispatch(process.argv.slice(2), {
	env: process.env,
	cwd: process.cwd(),
	program,
	print: (line) => void process.stdout.write(`${line}\n`),
	say: (line) => void process.stderr.write(`${asTyped(line, program)}\n`),
});
