import { execFile } from 'node:child_process';
import { randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { appendDurably } from '#hooks-bridge/disk/write-durably.ts';
import { readAuditSettings } from '#lib/audit/audit-settings.ts';
import { JournalHead } from '#lib/contract/health/audit.ts';
import { parsedJson } from '#lib/json/json.ts';
import { callForBytes, callService, ServiceFailure } from '../../connect/outgoing/call-service.ts';
import { openJournalSigner } from '../../timeline/store/journal-signer.ts';

/** The anchors of `audit.anchors` in `config.json`, and what was ignored there. */
export function openAnchors(
	config: unknown,
	home: string,
	env: Readonly<Record<string, string | undefined>>,
): { anchors: Anchor[]; problems: string[] } {
	const { anchors: wanted, problems } = readAuditSettings(config);
	const leaveOut = (name: string, why: string): Anchor[] => {
		problems.push(`audit.anchors.${name}: ${why}; it is left out`);
		return [];
	};
	const anchors = wanted.flatMap((one): Anchor[] => {
		if (one.kind === 'git') return [createGitAnchor(one, openJournalSigner(join(home, 'journal.db')).name)];
		if (one.kind === 'rfc3161') {
			const { url, certificate, everyMinutes } = one;
			try {
				const certificates = readCertificates(certificate);
				return [createStampAnchor({ url, certificates, home, everyMs: everyMinutes * 60_000 })];
			} catch (error) {
				return leaveOut(one.name, error instanceof Error ? error.message : String(error));
			}
		}
		const token = one.tokenEnv === undefined ? undefined : env[one.tokenEnv];
		if (one.tokenEnv !== undefined && !token) return leaveOut(one.name, `${one.tokenEnv} is not set`);
		return [createHostAnchor(one.url, token)];
	});
	return { anchors, problems };
}

const run = promisify(execFile);
const LIMIT_MS = 20_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** A git note needs an object: a blob with these words, one for each journal. */
const subjectOf = (signer: string) => `Heads of the Signalbox journal ${signer}\n`;

/** Notes under `refs/notes/signalbox`. Without a remote, anybody who can rewrite the journal can rewrite them. */
function createGitAnchor(
	{ repository, remote }: { repository: string; remote?: string | undefined },
	signer: string,
): Anchor {
	const git = async (args: string[], signal: AbortSignal, input?: string): Promise<string> => {
		const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
		const called = run('git', ['-C', repository, ...args], { signal, timeout: LIMIT_MS, maxBuffer: MAX_BYTES, env });
		// git may end before it has read its input; its exit code shows it.
		called.child.stdin?.on('error', () => undefined);
		called.child.stdin?.end(input);
		return (await called).stdout;
	};
	const subject = async (signal: AbortSignal) =>
		(await git(['hash-object', '-w', '--stdin'], signal, subjectOf(signer))).trim();
	const identity = ['-c', 'user.name=Signalbox', '-c', 'user.email=signalbox@localhost'];
	return {
		place: remote === undefined ? `a git note in ${repository}` : `a git note pushed to ${remote}`,
		async storeHead(head, ts, signal) {
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
function createHostAnchor(url: string, token: string | undefined): Anchor {
	const headers = { 'content-type': 'text/plain', ...(token && { authorization: `Bearer ${token}` }) };
	const call = (method: 'GET' | 'POST', body: string | undefined, signal: AbortSignal) =>
		callService({ url, method, headers, ...(body !== undefined && { body }), timeoutMs: TIMEOUT_MS, signal });
	return {
		place: `host ${new URL(url).host}`,
		caveat: 'Anchoring at a second host was tried with a stand-in only.',
		storeHead: async (head, ts, signal) => void (await call('POST', `${headLine(head, ts)}\n`, signal)),
		list: async (signal) => parseHeads(await call('GET', undefined, signal)),
	};
}

export interface Anchor {
	place: string;
	everyMs?: number;
	caveat?: string;
	/** Resolves when the head is stored. Errors do not contain the address. */
	storeHead(head: JournalHead, ts: string, signal: AbortSignal): Promise<void>;
	/** The stored heads, in any order. `tell` gets a sentence for each stored proof that does not match. */
	list(signal: AbortSignal, reportProblem: (problem: string) => void): Promise<(JournalHead & { ts: string })[]>;
}

export function headLine({ n, hash }: JournalHead, ts: string): string {
	return `signalbox ${n} ${hash} ${ts}`;
}

export function parseHeads(text: string): (JournalHead & { ts: string })[] {
	const lines = text.matchAll(/^signalbox (\d{1,15}) ([0-9a-f]{64}) (\d{4}-[\d:.TZ-]{1,30})$/gm);
	return Array.from(lines, ([, n, hash = '', ts = '']) => ({ n: Number(n), hash, ts }));
}

/** Loaded on demand: the ASN.1 readers are large, and most homes have no such anchor. */
const readers = () => import('./time-stamp.ts');

const STAMP_TIMEOUT_MS = 20_000;
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const StoredStamp = z.object({ ...JournalHead.shape, place: z.string(), token: z.base64() });
type StoredStamp = z.infer<typeof StoredStamp>;

export function readCertificates(path: string): X509Certificate[] {
	try {
		const pems = readFileSync(path, 'utf8').match(PEM) ?? [];
		if (pems.length > 0) return pems.map((pem) => new X509Certificate(pem));
	} catch {}
	throw new Error(`${path} holds no certificate (PEM) of a time stamp authority`);
}

/** Time stamps (RFC 3161) that the head's hash existed at a time, checked without the authority later. */
export function createStampAnchor(options: {
	url: string;
	certificates: readonly X509Certificate[];
	home: string;
	everyMs: number;
}): Anchor {
	const { url, certificates, home, everyMs } = options;
	const anchorName = `a time stamp of ${new URL(url).host}`;
	const path = join(home, 'stamps.jsonl');
	return {
		place: anchorName,
		everyMs,
		caveat: 'Time stamps were tried with a stand-in for an authority only.',
		async storeHead({ n, hash }, _ts, signal) {
			const { readStamp, StampError, stampRequest, tokenIn } = await readers();
			// Positive and without a leading zero.
			const nonce = `7f${randomBytes(15).toString('hex')}`;
			const answer = await callForBytes({
				url,
				headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
				body: stampRequest(hash, nonce),
				timeoutMs: STAMP_TIMEOUT_MS,
				signal,
			});
			try {
				const token = tokenIn(answer);
				const stamp = readStamp(new Uint8Array(token), certificates);
				if (stamp.hash !== hash || stamp.nonce !== nonce) throw new StampError('it stamped something else');
				const storedStamp: StoredStamp = { n, hash, place: anchorName, token: Buffer.from(token).toString('base64') };
				appendDurably(path, `${JSON.stringify(storedStamp)}\n`);
			} catch (error) {
				throw error instanceof StampError ? new ServiceFailure(error.message, { isFinal: true }) : error;
			}
		},
		async list(_signal, reportProblem) {
			const { readStamp, StampError } = await readers();
			const { mine, unreadable } = readStamps(path, anchorName);
			if (unreadable > 0) reportProblem(`${unreadable} lines of ${path} cannot be read.`);
			return mine.flatMap(({ n, hash, token }) => {
				try {
					const stamp = readStamp(new Uint8Array(Buffer.from(token, 'base64')), certificates);
					if (stamp.hash !== hash) throw new StampError('it is one for another hash');
					return [{ n, hash, ts: stamp.ts }];
				} catch (error) {
					const why = error instanceof StampError ? error.message : 'it cannot be read';
					reportProblem(`The time stamp of row ${n} in ${path} proves nothing: ${why}.`);
					return [];
				}
			});
		},
	};
}

function readStamps(path: string, anchorName: string): { mine: StoredStamp[]; unreadable: number } {
	const text = tryTo(() => readFileSync(path, 'utf8')) ?? '';
	const read = text.split('\n').flatMap((line) => (line === '' ? [] : [StoredStamp.safeParse(parsedJson(line)).data]));
	const stamps = read.filter((line) => line !== undefined);
	return { mine: stamps.filter((line) => line.place === anchorName), unreadable: read.length - stamps.length };
}
