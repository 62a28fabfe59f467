import type { TelemetryTarget } from '#hooks-bridge/agents/agent-telemetry.ts';
import { readEnvironment } from '../../process/env.ts';
import { findServer, writableHomeOf } from '../../process/home.ts';
import { findTelemetryToken, openTelemetryToken } from './telemetry-token.ts';

/**
 * Where clients send to: the home's server at its port, or the one at which it would be. With `isDry` nothing is made, and
 * a token that is not there yet is left open.
 */
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
