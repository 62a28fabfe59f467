import { createHash, verify, type X509Certificate } from 'node:crypto';
import { Integer, ObjectIdentifier, OctetString } from 'asn1js';
import {
	AlgorithmIdentifier,
	type Attribute,
	ContentInfo,
	MessageImprint,
	SignedData,
	type SignerInfo,
	TimeStampReq,
	TimeStampResp,
	TSTInfo,
} from 'pkijs';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';

export interface TimeStamp {
	hash: string;
	ts: string;
	nonce: string;
}

const SHA256 = '2.16.840.1.101.3.4.2.1';
const DIGESTS: Record<string, string> = {
	[SHA256]: 'sha256',
	'2.16.840.1.101.3.4.2.2': 'sha384',
	'2.16.840.1.101.3.4.2.3': 'sha512',
};
const SIGNED_DATA = '1.2.840.113549.1.7.2';
const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const FOR_STAMPS = '1.3.6.1.5.5.7.3.8';
const GRANTED = [0, 1];

const hex = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(new Uint8Array(bytes)).toString('hex');
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'hex')).buffer;

/** A request (RFC 3161, DER) for a stamp on a SHA-256; `nonce` is hex and begins with a digit from 1 to 7. */
export function stampRequest(hash: string, nonce: string): Uint8Array<ArrayBuffer> {
	const hashAlgorithm = new AlgorithmIdentifier({ algorithmId: SHA256 });
	const messageImprint = new MessageImprint({
		hashAlgorithm,
		hashedMessage: new OctetString({ valueHex: bytesOf(hash) }),
	});
	const request = new TimeStampReq({ version: 1, messageImprint, nonce: new Integer({ valueHex: bytesOf(nonce) }) });
	return new Uint8Array(request.toSchema().toBER());
}

/** The token (DER) in an authority's answer. Throws StampError if it has none. */
export function tokenIn(answer: Uint8Array<ArrayBuffer>): Uint8Array {
	const { status, timeStampToken } = parsed(() => TimeStampResp.fromBER(answer));
	if (!GRANTED.includes(status.status) || !timeStampToken)
		throw new StampError(`it gave no stamp (status ${status.status})`);
	return new Uint8Array(timeStampToken.toSchema().toBER());
}

/** Reads a token and checks it against the authority's certificates; needs no network. Throws StampError. */
export function readStamp(token: Uint8Array<ArrayBuffer>, certificates: readonly X509Certificate[]): TimeStamp {
	const { content, signer, info } = parsed(() => {
		const whole = ContentInfo.fromBER(token);
		if (whole.contentType !== SIGNED_DATA) throw new StampError('it is no signed token');
		const signed = new SignedData({ schema: whole.content });
		const octets = signed.encapContentInfo.eContent;
		const [one, ...others] = signed.signerInfos;
		if (signed.encapContentInfo.eContentType !== TST_INFO || !octets || !one || others.length > 0)
			throw new StampError('it is no time stamp of one signer');
		const bytes = new Uint8Array(octets.getValue());
		return { content: bytes, signer: one, info: TSTInfo.fromBER(bytes) };
	});
	const signed = signedBytes(signer, content);
	const digest = digestOf(signer);
	const cert = certificates.find((one) => isSignedBy(one, digest, signed, signer));
	if (!cert) throw new StampError('it is not signed with the certificate in the settings');
	if (!cert.keyUsage?.includes(FOR_STAMPS)) throw new StampError('the certificate is not one for time stamps');
	const at = info.genTime.getTime();
	if (!(at >= Date.parse(cert.validFrom) && at <= Date.parse(cert.validTo)))
		throw new StampError('it was made when the certificate was not valid');
	if (info.messageImprint.hashAlgorithm.algorithmId !== SHA256) throw new StampError('it stamps no SHA-256');
	return {
		hash: hex(info.messageImprint.hashedMessage.valueBlock.valueHexView),
		ts: info.genTime.toISOString(),
		nonce: info.nonce ? hex(info.nonce.valueBlock.valueHexView) : '',
	};
}

/** The library throws arbitrary values for invalid bytes. */
function parsed<T>(read: () => T): T {
	try {
		return read();
	} catch (error) {
		throw error instanceof StampError ? error : new StampError('it cannot be read');
	}
}

function digestOf({ digestAlgorithm }: SignerInfo): string {
	const digest = DIGESTS[digestAlgorithm.algorithmId];
	if (digest === undefined) throw new StampError('its digest is not SHA-256, SHA-384 or SHA-512');
	return digest;
}

/** What the signature covers (RFC 5652, 5.4): the attributes, which must name this content and its kind. */
function signedBytes(signer: SignerInfo, content: Uint8Array): Uint8Array {
	const { attributes = [], encodedValue } = signer.signedAttrs ?? {};
	const kind = onlyValue(attributes, CONTENT_TYPE);
	const digest = onlyValue(attributes, MESSAGE_DIGEST);
	const isOurs = kind instanceof ObjectIdentifier && kind.valueBlock.toString() === TST_INFO;
	const expected = createHash(digestOf(signer)).update(content).digest('hex');
	const fits = digest instanceof OctetString && hex(digest.valueBlock.valueHexView) === expected;
	if (!encodedValue || !isOurs || !fits) throw new StampError('what it signs is not what it says');
	return new Uint8Array(encodedValue);
}

function onlyValue(attributes: readonly Attribute[], type: string): unknown {
	const [one, ...others] = attributes.filter((attribute) => attribute.type === type).flatMap(({ values }) => values);
	return others.length === 0 ? one : undefined;
}

function isSignedBy(
	certificate: X509Certificate,
	digest: string,
	signed: Uint8Array,
	{ signature }: SignerInfo,
): boolean {
	const key = certificate.publicKey;
	const algorithm = key.asymmetricKeyType?.startsWith('ed') ? null : digest;
	return tryTo(() => verify(algorithm, signed, key, signature.valueBlock.valueHexView)) ?? false;
}

export class StampError extends Error {}
