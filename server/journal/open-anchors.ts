import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readAuditSettings } from '#lib/audit/audit-settings.ts';
import { callService } from '../connect/outgoing/call-service.ts';
import { openJournalSigner } from '../timeline/store/journal-signer.ts';
import { type Anchor, headLine, parseHeads } from './anchors/anchor.ts';
import { createStampAnchor, readCertificates } from './anchors/stamp-anchor.ts';

/** The anchors that `audit.anchors` of a parsed `config.json` names, and what was ignored there. */
export function openAnchors(
	config: unknown,
	home: string,
	env: Readonly<Record<string, string | undefined>>,
): { anchors: Anchor[]; problems: string[] } {
	const { anchors: wanted, problems } = readAuditSettings(config);
	const anchors = wanted.flatMap((one): Anchor[] => {
		if (one.kind === 'git') {
			const { repository, remote } = one;
			const signer = openJournalSigner(join(home, 'journal.db')).name;
			return [createGitAnchor({ repository, signer, ...(remote !== undefined && { remote }) })];
		}
		if (one.kind === 'rfc3161') {
			const { url, certificate, everyMinutes } = one;
			try {
				return [
					createStampAnchor({ url, certificates: readCertificates(certificate), home, everyMs: everyMinutes * 60_000 }),
				];
			} catch (error) {
				problems.push(`audit.anchors.${one.name}: ${error instanceof Error ? error.message : error}; it is left out`);
				return [];
			}
		}
		const token = one.tokenEnv === undefined ? undefined : env[one.tokenEnv];
		if (one.tokenEnv !== undefined && !token) {
			problems.push(`audit.anchors.${one.name}: ${one.tokenEnv} is not set; it is left out`);
			return [];
		}
		return [createHostAnchor({ url: one.url, ...(token && { token }) })];
	});
	return { anchors, problems };
}

const run = promisify(execFile);
const LIMIT_MS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** Notes hang on an object: a blob with these words, one for each journal. */
const subjectOf = (signer: string) => `Heads of the Signalbox journal ${signer}\n`;

/**
 * Notes under `refs/notes/signalbox` of a repository. Only a remote makes it a witness: a repository on this machine
 * can be rewritten by whoever can rewrite the journal.
 */
function createGitAnchor(options: { repository: string; remote?: string; signer: string }): Anchor {
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

const TIMEOUT_MS = 10_000;

/** A second host over HTTP: POST adds the body's line, GET gives all lines as plain text. */
function createHostAnchor({ url, token }: { url: string; token?: string }): Anchor {
	const headers = { 'content-type': 'text/plain', ...(token && { authorization: `Bearer ${token}` }) };
	const call = (method: 'GET' | 'POST', body: string | undefined, signal: AbortSignal) =>
		callService({ url, method, headers, ...(body !== undefined && { body }), timeoutMs: TIMEOUT_MS, signal });
	return {
		place: `host ${new URL(url).host}`,
		caveat: 'Anchoring at a second host was tried with a stand-in only.',
		put: async (head, ts, signal) => void (await call('POST', `${headLine(head, ts)}\n`, signal)),
		list: async (signal) => parseHeads(await call('GET', undefined, signal)),
	};
}
