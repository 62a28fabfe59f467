import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Anchor, headLine, parseHeads } from './anchor.ts';

const run = promisify(execFile);
const LIMIT_MS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Notes hang on an object: a blob with these words, one for each journal. */
const subjectOf = (signer: string) => `Heads of the Signalbox journal ${signer}\n`;

/**
 * Notes under `refs/notes/signalbox` of a repository. Only a remote makes it a witness: a repository on this machine
 * can be rewritten by whoever can rewrite the journal.
 */
export function createGitAnchor(options: { repository: string; remote?: string; signer: string }): Anchor {
	const { repository, remote, signer } = options;
	const git = async (args: string[], signal: AbortSignal, input?: string): Promise<string> => {
		const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
		const called = run('git', ['-C', repository, ...args], { signal, timeout: LIMIT_MS, maxBuffer: MAX_BYTES, env });
		// git may end before it has read what it is given; that shows in how it ends.
		called.child.stdin?.on('error', () => undefined);
		called.child.stdin?.end(input);
		return (await called).stdout;
	};
	const subject = async (signal: AbortSignal) =>
		(await git(['hash-object', '-w', '--stdin'], signal, subjectOf(signer))).trim();
	const identity = ['-c', 'user.name=Signalbox', '-c', 'user.email=signalbox@localhost'];
	return {
		place: remote === undefined ? `a git note in ${repository}` : `a git note pushed to ${remote}`,
		async put(head, ts, signal) {
			const object = await subject(signal);
			const line = headLine(head, ts);
			await git([...identity, 'notes', '--ref=signalbox', 'append', '-m', line, object], signal);
			if (remote !== undefined) await git(['push', '-q', remote, 'refs/notes/signalbox'], signal);
		},
		async list(signal) {
			if (remote !== undefined) {
				await git(['fetch', '-q', remote, '+refs/notes/signalbox:refs/notes/signalbox-there'], signal);
			}
			const ref = remote === undefined ? 'signalbox' : 'signalbox-there';
			const object = await subject(signal);
			const text = await git(['notes', `--ref=${ref}`, 'show', object], signal).catch(() => '');
			return parseHeads(text);
		},
	};
}
