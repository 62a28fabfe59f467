import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** The least of CBOR that an attestation needs. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
	const head = (major: number, length: number) =>
		length < 24
			? Buffer.from([(major << 5) | length])
			: length < 256
				? Buffer.from([(major << 5) | 24, length])
				: Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
	if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
	if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
	if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
	const pairs = [...value].flatMap(([key, item]) => [cbor(key), cbor(item as Parameters<typeof cbor>[0])]);
	return Buffer.concat([head(5, value.size), ...pairs]);
}

/** What an authenticator signs, in parts that a test can change. */
export interface Assertion {
	authenticatorData: Buffer;
	clientDataJSON: Buffer;
	signature: Buffer;
}

/** An authenticator in memory (ES256), for tests: it answers whatever it is asked, as a device whose owner has confirmed. */
export function createSoftAuthenticator({
	rpId,
	origin,
	verifies = true,
}: {
	rpId: string;
	origin: string;
	/** False: it does not look who touches it. */
	verifies?: boolean;
}) {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
	const id = randomBytes(32);
	const cose = cbor(
		new Map<number, unknown>([
			[1, 2],
			[3, -7],
			[-1, 1],
			[-2, Buffer.from(x, 'base64url')],
			[-3, Buffer.from(y, 'base64url')],
		]),
	);
	let count = 0;

	const clientData = (type: string, challenge: string) =>
		Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
	/** User present and verified; a credential follows where one is made. */
	const authData = (credential: Buffer = Buffer.alloc(0)) => {
		const counter = Buffer.alloc(4);
		count += 1;
		counter.writeUInt32BE(count);
		const flags = Buffer.from([(credential.length > 0 ? 0x41 : 0x01) | (verifies ? 0x04 : 0)]);
		return Buffer.concat([sha256(rpId), flags, counter, credential]);
	};
	const answer = (response: object) => ({
		id: b64(id),
		rawId: b64(id),
		type: 'public-key' as const,
		clientExtensionResults: {},
		response,
	});

	return {
		id: b64(id),
		/** Its public key. */
		cose: b64(cose),
		register(challenge: string) {
			const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
			const attestation = new Map<string, unknown>([
				['fmt', 'none'],
				['attStmt', new Map()],
				['authData', authData(attested)],
			]);
			const attestationObject = b64(cbor(attestation));
			return answer({ attestationObject, clientDataJSON: b64(clientData('webauthn.create', challenge)) });
		},
		/** `change` may spoil the answer after it was signed. */
		assert(challenge: string, change: (assertion: Assertion) => void = () => undefined) {
			const assertion = { authenticatorData: authData(), clientDataJSON: clientData('webauthn.get', challenge) };
			const signer = createSign('SHA256').update(assertion.authenticatorData).update(sha256(assertion.clientDataJSON));
			const signed = { ...assertion, signature: signer.sign(privateKey) };
			change(signed);
			return answer(Object.fromEntries(Object.entries(signed).map(([name, bytes]) => [name, b64(bytes)])));
		},
	};
}
