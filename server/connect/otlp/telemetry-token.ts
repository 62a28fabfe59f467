import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mintSecret } from '../../access/secret.ts';
import { openSecretFile } from '../../process/secret-file.ts';

const TOKEN_FILE = 'telemetry-token';
const TOKEN = /^sbtel_[A-Za-z0-9_-]{43}$/;
const ANYWHERE = /sbtel_[A-Za-z0-9_-]{43}/;

/** The token of a home with which clients send telemetry and nothing else; undefined where none was made yet. */
export function findTelemetryToken(home: string): string | undefined {
	try {
		const token = readFileSync(join(home, TOKEN_FILE), 'utf8').trim();
		return TOKEN.test(token) ? token : undefined;
	} catch {
		return undefined;
	}
}

/** The same, made where there is none. Throws where the file holds something else. */
export function openTelemetryToken(home: string): string {
	return openSecretFile({
		home,
		name: TOKEN_FILE,
		what: 'token for telemetry',
		read: () => findTelemetryToken(home),
		mint: () => `sbtel_${mintSecret()}`,
	});
}

/** Whether a client's setting is ours: it holds such a token, of whichever home. */
export function holdsTelemetryToken(text: string): boolean {
	return ANYWHERE.test(text);
}
