import { webcrypto } from 'node:crypto';
import { Integer, ObjectIdentifier, OctetString, PrintableString } from 'asn1js';
import {
	Attribute,
	AttributeTypeAndValue,
	Certificate,
	ContentInfo,
	EncapsulatedContentInfo,
	Extension,
	ExtKeyUsage,
	IssuerAndSerialNumber,
	MessageImprint,
	PKIStatusInfo,
	SignedAndUnsignedAttributes,
	SignedData,
	SignerInfo,
	TimeStampReq,
	TimeStampResp,
	TSTInfo,
} from 'pkijs';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const FOR_STAMPS = '1.3.6.1.5.5.7.3.8';

/** What a test lets the authority do wrong. */
interface Faults {
	usage?: string;
	/** What it says instead of the time that it is. */
	time?: Date;
	hash?: ArrayBuffer;
	nonce?: Integer;
	status?: number;
}

/** A time stamp authority (RFC 3161) for tests: a key of its own, a self-signed certificate, and stamps for whatever is asked. */
export async function createStandInAuthority({ usage = FOR_STAMPS }: Faults = {}) {
	const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
	const keys = (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
	const certificate = new Certificate();
	certificate.version = 2;
	certificate.serialNumber = new Integer({ value: 1 });
	const name = new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value: 'Stand-in TSA' }) });
	certificate.issuer.typesAndValues.push(name);
	certificate.subject.typesAndValues.push(name);
	certificate.notBefore.value = new Date(Date.now() - 86_400_000);
	certificate.notAfter.value = new Date(Date.now() + 86_400_000);
	const extnValue = new ExtKeyUsage({ keyPurposes: [usage] }).toSchema().toBER();
	certificate.extensions = [new Extension({ extnID: '2.5.29.37', critical: true, extnValue })];
	await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
	await certificate.sign(keys.privateKey, 'SHA-256');
	const der = Buffer.from(certificate.toSchema(true).toBER());
	const pem = `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;

	return {
		pem,
		async answer(query: Uint8Array<ArrayBuffer>, faults: Faults = {}): Promise<Buffer> {
			const { messageImprint: imprint, nonce: given } = TimeStampReq.fromBER(query);
			const { time = new Date(), hash, nonce = given, status = 0 } = faults;
			const messageImprint = new MessageImprint({
				hashAlgorithm: imprint.hashAlgorithm,
				hashedMessage: hash ? new OctetString({ valueHex: hash }) : imprint.hashedMessage,
			});
			const serialNumber = new Integer({ value: 7 });
			const fields = { version: 1, policy: '1.2.3.4', messageImprint, serialNumber, genTime: time };
			const info = new TSTInfo({ ...fields, ...(nonce && { nonce }) }).toSchema().toBER();
			const digest = await webcrypto.subtle.digest('SHA-256', info);
			const attribute = (type: string, value: object) => new Attribute({ type, values: [value] });
			const signed = new SignedData({
				version: 3,
				encapContentInfo: new EncapsulatedContentInfo({
					eContentType: TST_INFO,
					eContent: new OctetString({ valueHex: info }),
				}),
				signerInfos: [
					new SignerInfo({
						version: 1,
						sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
						signedAttrs: new SignedAndUnsignedAttributes({
							type: 0,
							attributes: [
								attribute('1.2.840.113549.1.9.3', new ObjectIdentifier({ value: TST_INFO })),
								attribute('1.2.840.113549.1.9.4', new OctetString({ valueHex: digest })),
							],
						}),
					}),
				],
			});
			await signed.sign(keys.privateKey, 0, 'SHA-256');
			const content = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: signed.toSchema(true) });
			const answer = new TimeStampResp({
				status: new PKIStatusInfo({ status }),
				...(status < 2 && { timeStampToken: content }),
			});
			return Buffer.from(answer.toSchema().toBER());
		},
	};
}

export type StandInAuthority = Awaited<ReturnType<typeof createStandInAuthority>>;
