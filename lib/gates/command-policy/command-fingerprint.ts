import { type Facts, type Fingerprint, isName } from '../gate.ts';
import { COMMAND_GATE } from './command-gate-name.ts';

/** Project, folder and command: the same one there, however it is quoted. */
export function commandFingerprint({ project, cwd, line, canonical, unsandboxed }: Facts): Fingerprint | null {
	if (!isName(project) || !isName(cwd) || !isName(line) || !isName(canonical)) return null;
	const leaves = unsandboxed === true;
	return {
		key: JSON.stringify([COMMAND_GATE, project, cwd, canonical, ...(leaves ? ['unsandboxed'] : [])]),
		words: `exactly the command line “${line.trim()}” in the folder ${cwd}${leaves ? ', outside of the sandbox' : ''}`,
	};
}
