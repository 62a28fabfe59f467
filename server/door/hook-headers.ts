import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { HookRun, Profile } from '#hooks-bridge/ports.ts';

const PROFILES: readonly string[] = ['observe', 'open', 'closed', 'supervisor'] satisfies Profile[];
const REQUEST_ID = /^[\w.:-]{1,128}$/;
// U+FFFD stands for bytes that are no UTF-8: such a path could not be opened under this name.
const UNUSABLE = /[\p{Cc}\ufffd]/u;

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
	const value = headers[`x-signalbox-${name}`];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

function wholeNumber(text: string | undefined): number | undefined {
	const value = text === undefined ? Number.NaN : Number(text);
	return Number.isInteger(value) && value > 0 && value <= 2 ** 31 ? value : undefined;
}

/** Node reads header bytes as latin1; the hook sends the environment's UTF-8 unchanged. */
function decoded(value: string): string {
	return Buffer.from(value, 'latin1').toString('utf8');
}

/**
 * What the hook says of its run. Every header is optional: without a request id one is made up, without a
 * profile it is `open`. Paths holding control bytes or broken UTF-8 are left out and named in `dropped`.
 */
export function hookRunFrom(headers: IncomingHttpHeaders): HookRun {
	const requestId = one(headers, 'request');
	const profile = one(headers, 'profile');
	const run: HookRun = {
		requestId: requestId !== undefined && REQUEST_ID.test(requestId) ? requestId : randomUUID(),
		profile: profile !== undefined && PROFILES.includes(profile) ? (profile as Profile) : 'open',
	};
	const dropped: string[] = [];
	const path = (name: string, variable: string): string | undefined => {
		const raw = one(headers, name);
		if (raw === undefined) return undefined;
		const text = decoded(raw);
		if (!UNUSABLE.test(text)) return text;
		dropped.push(variable);
		return undefined;
	};
	const projectDir = path('project-dir', 'CLAUDE_PROJECT_DIR');
	const cwd = path('cwd', 'PWD');
	const clientPid = wholeNumber(one(headers, 'client-pid'));
	const timeoutSeconds = wholeNumber(one(headers, 'timeout'));
	if (projectDir !== undefined) run.projectDir = projectDir;
	if (cwd !== undefined) run.cwd = cwd;
	if (clientPid !== undefined) run.clientPid = clientPid;
	if (timeoutSeconds !== undefined) run.timeoutSeconds = timeoutSeconds;
	if (dropped.length > 0) run.dropped = dropped;
	return run;
}
