import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Integer } from 'asn1js';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createStandInAuthority, type StandInAuthority } from '../../testing/stand-in-authority.ts';
import { readStamp, stampRequest, tokenIn } from './time-stamp.ts';

const HASH = createHash('sha256').update('a head').digest('hex');
const NONCE = '7f00112233445566778899aabbccddee';
let authority: StandInAuthority;
beforeAll(async () => {
	authority = await createStandInAuthority();
});

const trusted = ({ pem }: { pem: string } = authority) => [new X509Certificate(pem)];
const bytes = (buffer: Uint8Array) => new Uint8Array(buffer);
async function tokenOf(...faults: Parameters<StandInAuthority['answer']> extends [unknown, (infer F)?] ? [F?] : never) {
	return bytes(tokenIn(bytes(await authority.answer(stampRequest(HASH, NONCE), ...faults))));
}

test('R779 a stamp proves which hash existed at which time, by a trusted certificate', async () => {
	const time = new Date(Math.floor(Date.now() / 1000) * 1000);
	const stamp = readStamp(await tokenOf({ time }), trusted());
	expect(stamp).toEqual({ hash: HASH, nonce: NONCE, ts: time.toISOString() });
	const other = await createStandInAuthority();
	expect(readStamp(await tokenOf(), [...trusted(other), ...trusted()]).hash).toBe(HASH);
	expect(() => readStamp(bytes(Buffer.from('nothing')), trusted())).toThrow('cannot be read');
});

test('R779 a stamp of another key, of a certificate for something else, or of outside its time is none', async () => {
	const other = await createStandInAuthority();
	const token = await tokenOf();
	expect(() => readStamp(token, trusted(other))).toThrow('not signed with the certificate');
	expect(() => readStamp(token, [])).toThrow('not signed with the certificate');
	const web = await createStandInAuthority({ usage: '1.3.6.1.5.5.7.3.1' });
	const wrong = bytes(tokenIn(bytes(await web.answer(stampRequest(HASH, NONCE)))));
	expect(() => readStamp(wrong, trusted(web))).toThrow('not one for time stamps');
	const late = await tokenOf({ time: new Date(Date.now() + 3 * 86_400_000) });
	expect(() => readStamp(late, trusted())).toThrow('was not valid');
	await expect(tokenOf({ status: 2 })).rejects.toThrow('status 2');
});

test('R779 whichever byte of a stamp is changed, it says the same or is none', async () => {
	const token = await tokenOf();
	const whole = readStamp(token, trusted());
	fc.assert(
		fc.property(fc.nat(token.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
			const spoilt = Uint8Array.from(token);
			spoilt[at] = (spoilt[at] ?? 0) ^ change;
			try {
				expect(readStamp(spoilt, trusted())).toEqual(whole);
			} catch (error) {
				if (!(error instanceof Error) || error.name === 'AssertionError') throw error;
			}
		}),
		{ numRuns: 150 },
	);
});

test('R779 a request asks with its nonce, and an answer with another is seen', async () => {
	const other = new Integer({ value: 5 });
	expect(readStamp(await tokenOf({ nonce: other }), trusted()).nonce).toBe('05');
});

const hasOpenssl = (() => {
	try {
		return execFileSync('openssl', ['version'], { encoding: 'utf8' }).startsWith('OpenSSL');
	} catch {
		return false;
	}
})();

test.skipIf(!hasOpenssl)('R779 openssl reads our request, and its own stamp is read; RSA as well', () => {
	const folder = mkdtempSync(join(tmpdir(), 'sbx-tsa-'));
	const run = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
	writeFileSync(
		join(folder, 'tsa.cnf'),
		[
			'[req]\ndistinguished_name=dn\nprompt=no\nx509_extensions=v3\n[dn]\nCN=Stand-in TSA\n[v3]\nextendedKeyUsage=critical,timeStamping',
			'[tsa]\ndefault_tsa=one\n[one]\nserial=serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4\ndigests=sha256',
			'ordering=no\ntsa_name=no\ness_cert_id_chain=no\ness_cert_id_alg=sha256\n',
		].join('\n'),
	);
	writeFileSync(join(folder, 'serial'), '01\n');
	writeFileSync(join(folder, 'query.tsq'), stampRequest(HASH, NONCE));
	expect(run('ts', '-query', '-in', 'query.tsq', '-text')).toContain('Hash Algorithm: sha256');
	for (const kind of [
		['rsa:2048', 'rsa'],
		['ec', 'ec'],
	]) {
		const [algorithm = '', name = ''] = kind;
		const curve = name === 'ec' ? ['-pkeyopt', 'ec_paramgen_curve:prime256v1'] : [];
		run(
			'req',
			'-x509',
			'-newkey',
			algorithm,
			...curve,
			'-nodes',
			'-keyout',
			'key.pem',
			'-out',
			'tsa.pem',
			'-days',
			'1',
			'-config',
			'tsa.cnf',
		);
		run(
			'ts',
			'-reply',
			'-config',
			'tsa.cnf',
			'-queryfile',
			'query.tsq',
			'-signer',
			'tsa.pem',
			'-inkey',
			'key.pem',
			'-out',
			'reply.tsr',
		);
		const certificates = [new X509Certificate(readFileSync(join(folder, 'tsa.pem')))];
		const token = tokenIn(bytes(readFileSync(join(folder, 'reply.tsr'))));
		expect(readStamp(bytes(token), certificates)).toMatchObject({ hash: HASH, nonce: NONCE });
	}
	rmSync(folder, { recursive: true });
});
