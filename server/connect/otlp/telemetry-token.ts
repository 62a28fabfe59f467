import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TelemetryTarget } from '#hooks-bridge/agents/agent-setup.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { mintSecret } from '../../access/principal.ts';
import { readEnvironment } from '../../process/env.ts';
import { findServer, writableHomeOf } from '../../process/home.ts';
import { openSecretFile } from '../../process/secret-file.ts';

const TOKEN_FILE = 'telemetry-token';
const TOKEN = /^sbtel_[A-Za-z0-9_-]{43}$/;
const ANYWHERE = /sbtel_[A-Za-z0-9_-]{43}/;

/** The token of a home with which clients send telemetry and nothing else. */
export function findTelemetryToken(home: string): string | undefined {
	return tryTo(() => TOKEN.exec(readFileSync(join(home, TOKEN_FILE), 'utf8').trim())?.[0]);
}

export function openTelemetryToken(home: string): string {
	return openSecretFile({
		home,
		name: TOKEN_FILE,
		what: 'token for telemetry',
		read: () => findTelemetryToken(home),
		mint: () => `sbtel_${mintSecret()}`,
	});
}

/** Whether a client's setting is ours, of whichever home. */
export function holdsTelemetryToken(text: string): boolean {
	return ANYWHERE.test(text);
}

/** The address and token for clients. With `isDry` nothing is created, and a missing token is left out. */
export async function telemetryTarget(
	home: string,
	env: Readonly<Record<string, string | undefined>>,
	isDry = false,
): Promise<TelemetryTarget> {
	const url = await findServer(home);
	const port = url === undefined ? readEnvironment(env).port : Number(new URL(url).port);
	const token = isDry ? (findTelemetryToken(home) ?? 'TOKEN') : openTelemetryToken(writableHomeOf({ env, cwd: home }));
	return { url: `http://127.0.0.1:${port}`, token };
}
