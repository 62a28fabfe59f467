import * as z from 'zod';
import { EnvName, HttpUrl, problemsOf, sectionOf } from '../json/named-settings.ts';
import { misspeltKeys } from '../text/near-words.ts';

export const Telemetry = z.looseObject(
	{
		/** An OTLP/HTTP collector: `/v1/traces` and `/v1/metrics` are appended. Without it nothing is sent. */
		endpoint: HttpUrl.optional(),
		/** The environment variable that holds headers, as `name=value,name=value`. */
		headersEnv: EnvName.optional(),
		/** Whether titles, reasons and errors, which agents and people wrote, are sent. */
		content: z.boolean().default(false),
	},
	{ error: 'is written {"endpoint": "http://127.0.0.1:4318"}' },
);

export interface TelemetrySettings {
	endpoint: string;
	headers: Record<string, string>;
	content: boolean;
}

/**
 * The `telemetry` part of the person's `config.json`. Never throws: what does not fit is named in `problems`, and then, or without
 * an endpoint, `settings` is null and nothing is sent.
 */
export function readTelemetrySettings(
	config: unknown,
	env: Readonly<Record<string, string | undefined>>,
): { settings: TelemetrySettings | null; problems: string[] } {
	const section = sectionOf(config, 'telemetry');
	const problems = misspeltKeys('telemetry', section, Object.keys(Telemetry.shape));
	const read = Telemetry.safeParse(section);
	if (!read.success) return { settings: null, problems: [...problems, ...problemsOf('telemetry', read.error)] };
	const { endpoint, headersEnv, content } = read.data;
	if (endpoint === undefined) return { settings: null, problems };
	const named = headersEnv === undefined ? '' : env[headersEnv];
	if (named === undefined) {
		const problem = `telemetry.headersEnv: ${headersEnv} is not set; nothing is sent`;
		return { settings: null, problems: [...problems, problem] };
	}
	const headers = Object.fromEntries(
		named
			.split(',')
			.filter((pair) => pair.includes('='))
			.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()]),
	);
	return { settings: { endpoint: endpoint.replace(/\/+$/, ''), headers, content }, problems };
}
