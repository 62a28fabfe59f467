import * as z from 'zod';
import { callService } from '../connect/outgoing/call-service.ts';
import { ServiceFailure } from '../connect/outgoing/service-failure.ts';
import { hubAddress, JoinRefused } from './join-hub.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 10_000;
/** A machine's name has so many characters at most. */
const NAME = 80;
const Answer = z.object({ value: z.string().min(1) });

/**
 * The token by which this CI job says which repository it is of, for this audience: GitLab and others put it into
 * SIGNALBOX_ID_TOKEN, GitHub Actions is asked for it. Throws JoinRefused where the job has none.
 */
export async function readJobToken(env: Environment, audience: string): Promise<string> {
	const { SIGNALBOX_ID_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN } = env;
	if (SIGNALBOX_ID_TOKEN) return SIGNALBOX_ID_TOKEN.trim();
	if (!ACTIONS_ID_TOKEN_REQUEST_URL || !ACTIONS_ID_TOKEN_REQUEST_TOKEN) {
		throw new JoinRefused(
			env.GITHUB_ACTIONS === 'true'
				? 'This job may not ask for a token: give it `permissions: { id-token: write }`.'
				: 'No token of a CI job is here: in GitLab name one SIGNALBOX_ID_TOKEN under `id_tokens`.',
		);
	}
	const url = hubAddress(ACTIONS_ID_TOKEN_REQUEST_URL);
	url.searchParams.set('audience', audience);
	try {
		const answer = await callService({
			...{ url: url.href, method: 'GET', timeoutMs: TIMEOUT_MS, signal: new AbortController().signal },
			headers: { authorization: `Bearer ${ACTIONS_ID_TOKEN_REQUEST_TOKEN}`, accept: 'application/json' },
		});
		return Answer.parse(JSON.parse(answer)).value;
	} catch (error) {
		const why = error instanceof ServiceFailure ? error.message : 'its answer holds no token';
		throw new JoinRefused(`GitHub Actions gave the job no token: ${why}.`);
	}
}

/** How people find a job's machine again: its repository and number, as the job itself says them. Undefined outside of both. */
export function jobName({
	GITHUB_REPOSITORY,
	GITHUB_RUN_ID,
	CI_PROJECT_PATH,
	CI_JOB_ID,
}: Environment): string | undefined {
	const name = [GITHUB_REPOSITORY ?? CI_PROJECT_PATH, GITHUB_RUN_ID ?? CI_JOB_ID].filter(Boolean).join(' ');
	return name === '' ? undefined : name.slice(-NAME).trim();
}
