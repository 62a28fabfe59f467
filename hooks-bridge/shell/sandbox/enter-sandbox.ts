import { closeSync, openSync, readFileSync, readlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { sandboxArguments } from '#lib/commands/sandbox-arguments.ts';
import { withoutSandboxEntry } from '#lib/commands/sandbox-entry.ts';
import { tryTo } from '../../disk/try-to.ts';
import { findSettings } from '../../engine/facts.ts';
import { createNodePorts, findSandbox } from '../../node/node-ports.ts';
import { allowedFolders } from '../files/allowed-folders.ts';
import { excludedPrograms } from './closed-files.ts';
import { sandboxView } from './sandbox.ts';

/**
 * The shell command that runs a client's shell again inside the sandbox, with the same arguments but without the entry in its
 * line. Throws without such an entry, or without a sandbox.
 */
function enteringCommand(pid: string, project: string, home: string): string {
	// Bytes: a line need not be text.
	const given = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').slice(0, -1);
	const at = given.findIndex((word) => withoutSandboxEntry(word) !== word);
	const line = given[at];
	if (line === undefined) throw new Error('the shell that called was not started with the line');
	const shell = readlinkSync(`/proc/${pid}/exe`, { encoding: 'latin1' });
	const argv = [shell, ...given.slice(1, at), withoutSandboxEntry(line), ...given.slice(at + 1)];
	const program = findSandbox();
	if (program === undefined) throw new Error('bubblewrap cannot be started');
	return [program, ...argumentsFor(line, project, home), ...argv].map(quoted).join(' ');
}

function argumentsFor(line: string, project: string, home: string): string[] {
	const { env } = process;
	const ports = createNodePorts({ home, once: true });
	try {
		const { exclude } = findSettings(project, ports).commands;
		const cwd = process.cwd();
		const folders = allowedFolders({ project, cwd, state: home, env });
		// Where the client has the shell's reports, above all its working folder.
		const roots = [env.CLAUDE_CODE_TMPDIR, '/tmp'].flatMap(
			(TMPDIR = '') => allowedFolders({ project, cwd, state: home, env: { ...env, TMPDIR } }).roots,
		);
		const view = sandboxView(
			{ ...folders, roots: [...folders.roots, ...roots] },
			cwd,
			line,
			excludedPrograms(exclude, env),
		);
		// Background processes of the line continue, and the client's signals reach all of it: they go to the group.
		return sandboxArguments(view, hasTerminal() ? ['--new-session'] : []).map(asBytes);
	} finally {
		ports.close();
	}
}

/** A process with access to a terminal could type into it. */
function hasTerminal(): boolean {
	const terminal = tryTo(() => openSync('/dev/tty', 'r'));
	if (terminal !== undefined) closeSync(terminal);
	return terminal !== undefined;
}

const asBytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

try {
	const [program = '', pid = '', project = ''] = process.argv.slice(1);
	writeSync(1, Buffer.from(enteringCommand(pid, project, dirname(dirname(program))), 'latin1'));
} catch (error) {
	process.stderr.write(`Signalbox: ${error instanceof Error ? error.message : String(error)}.\n`);
	process.exitCode = 126;
}
