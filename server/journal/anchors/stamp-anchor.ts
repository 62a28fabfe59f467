import { randomBytes, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { appendDurably } from '#hooks-bridge/disk/write-durably.ts';
import { JournalHead } from '#lib/contract/health/audit.ts';
import { parsedJson } from '#lib/json/json.ts';
import { callForBytes } from '../../connect/outgoing/call-service.ts';
import { ServiceFailure } from '../../connect/outgoing/service-failure.ts';
import type { Anchor } from './anchor.ts';
import { StampError } from './time-stamp.ts';

/** The readers of ASN.1 are large, and most homes have no such anchor. */
const readers = () => import('./time-stamp.ts');

const TIMEOUT_MS = 20_000;
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

const Kept = z.object({ ...JournalHead.shape, place: z.string(), token: z.base64() });
type Kept = z.infer<typeof Kept>;

/** The certificates of a PEM file. Throws with what to do. */
export function readCertificates(path: string): X509Certificate[] {
	try {
		const pems = readFileSync(path, 'utf8').match(PEM) ?? [];
		if (pems.length > 0) return pems.map((pem) => new X509Certificate(pem));
	} catch {
		// Reported below.
	}
	throw new Error(`${path} holds no certificate (PEM) of a time stamp authority`);
}

/**
 * A time stamp authority (RFC 3161): it signs that the head's hash was there at a time. The tokens stay in
 * `stamps.jsonl` of the home and are checked again without the authority; nobody without its key can make one for an
 * earlier time, but who may write the home can throw them away.
 */
export function createStampAnchor(options: {
	url: string;
	certificates: readonly X509Certificate[];
	home: string;
	everyMs: number;
}): Anchor {
	const { url, certificates, home, everyMs } = options;
	const place = `a time stamp of ${new URL(url).host}`;
	const path = join(home, 'stamps.jsonl');
	return {
		place,
		everyMs,
		caveat: 'Time stamps were tried with a stand-in for an authority only.',
		async put({ n, hash }, _ts, signal) {
			const { readStamp, stampRequest, tokenIn } = await readers();
			// Positive and without a leading zero, whatever the bytes are.
			const nonce = `7f${randomBytes(15).toString('hex')}`;
			const answer = await callForBytes({
				url,
				headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
				body: stampRequest(hash, nonce),
				timeoutMs: TIMEOUT_MS,
				signal,
			});
			const token = refused(() => {
				const given = tokenIn(answer);
				const stamp = readStamp(new Uint8Array(given), certificates);
				if (stamp.hash !== hash || stamp.nonce !== nonce) throw new StampError('it stamped something else');
				return given;
			});
			const kept: Kept = { n, hash, place, token: Buffer.from(token).toString('base64') };
			appendDurably(path, `${JSON.stringify(kept)}\n`);
		},
		async list(_signal, tell) {
			const { readStamp } = await readers();
			const { mine, unreadable } = readKept(path, place);
			if (unreadable > 0) tell(`${unreadable} lines of ${path} cannot be read.`);
			return mine.flatMap(({ n, hash, token }) => {
				try {
					const stamp = readStamp(new Uint8Array(Buffer.from(token, 'base64')), certificates);
					if (stamp.hash !== hash) throw new StampError('it is one for another hash');
					return [{ n, hash, ts: stamp.ts }];
				} catch (error) {
					const why = error instanceof StampError ? error.message : 'it cannot be read';
					tell(`The time stamp of row ${n} in ${path} proves nothing: ${why}.`);
					return [];
				}
			});
		},
	};
}

/** What an answer is worth nothing for is worth no other try, but the next head's. */
function refused<T>(read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw error instanceof StampError ? new ServiceFailure(error.message, { isFinal: true }) : error;
	}
}

/** The kept tokens of one authority, and how many lines are none. */
function readKept(path: string, place: string): { mine: Kept[]; unreadable: number } {
	let text: string;
	try {
		text = readFileSync(path, 'utf8');
	} catch {
		return { mine: [], unreadable: 0 };
	}
	const read = text.split('\n').flatMap((line) => (line === '' ? [] : [Kept.safeParse(parsedJson(line)).data]));
	const kept = read.filter((line) => line !== undefined);
	return { mine: kept.filter((line) => line.place === place), unreadable: read.length - kept.length };
}
