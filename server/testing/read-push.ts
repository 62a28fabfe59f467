import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto';

/** A browser's keys: its private P-256 key (raw), and the secret that it shares with who may write to it. */
export interface PushKeys {
	privateKey: Buffer;
	auth: Buffer;
}

/** What a browser does with what is pushed to it (RFC 8291, one record): for tests, which have no push service. Throws for what is sealed for somebody else. */
export function readPush(bytes: Buffer, { privateKey, auth }: PushKeys): string {
	const own = createECDH('prime256v1');
	own.setPrivateKey(privateKey);
	const [salt, server, sealed] = [bytes.subarray(0, 16), bytes.subarray(21, 86), bytes.subarray(86)];
	const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), server]);
	const key = Buffer.from(hkdfSync('sha256', own.computeSecret(server), auth, info, 32));
	const part = (name: string, length: number) =>
		Buffer.from(hkdfSync('sha256', key, salt, `Content-Encoding: ${name}\0`, length));
	const opener = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
	opener.setAuthTag(sealed.subarray(-16));
	const plain = Buffer.concat([opener.update(sealed.subarray(0, -16)), opener.final()]);
	return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}
