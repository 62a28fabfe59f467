import { gateSettings, gateTable } from '../gates/gate-table.ts';
import { isJson } from '../json/json.ts';
import { amount, either, flag, type Reading } from '../json/reading.ts';
import { gatesNamed } from './named-lists.ts';

/** How long a denied call waits for a person if no setting says it. */
export const DEFAULT_HOLD_SECONDS = 120;

export type PolicyBody = Readonly<Record<string, PolicyValue>>;
type PolicyValue = boolean | number | string | readonly string[];

export interface SettingsPolicy {
	body: PolicyBody;
	/** Signed by a root passkey: may loosen what the person has not set. */
	mayLoosen: boolean;
}

interface PolicySetting {
	wants: string;
	read: (value: unknown) => PolicyValue | undefined;
	isLooser: (value: PolicyValue | undefined, than: PolicyValue | undefined) => boolean;
}

/** Higher is stricter; an absent setting is 0. */
function ranked<T extends PolicyValue>({ wants, read }: Reading<T>, rank: (value: T) => number): PolicySetting {
	const of = (value: PolicyValue | undefined) => {
		const known = read(value);
		return known === undefined ? 0 : rank(known);
	};
	return { wants, read, isLooser: (value, than) => of(value) < of(than) };
}

/** One value is stricter than none, the other looser. */
const strictWhen = <T extends boolean | string>(strict: T, reading: Reading<T>): PolicySetting =>
	ranked(reading, (value) => (value === strict ? 1 : -1));

/** Waiting longer than the default may let more through. */
const holdSeconds = ranked(amount(), (seconds) =>
	seconds > DEFAULT_HOLD_SECONDS ? DEFAULT_HOLD_SECONDS - seconds : 1 + DEFAULT_HOLD_SECONDS - seconds,
);

/** Whatever a list leaves out is a problem for a policy. */
function whole<T>(read: (value: unknown, problems: string[]) => T | undefined): (value: unknown) => T | undefined {
	return (value) => {
		const problems: string[] = [];
		const found = value === undefined ? undefined : read(value, problems);
		return problems.length === 0 ? found : undefined;
	};
}

const namesIn = (value: PolicyValue | undefined) => gatesNamed(value, []);
const neverRemote: PolicySetting = {
	wants: 'a list of names of gates',
	read: whole(gatesNamed),
	isLooser: (value, than) => namesIn(than).some((name) => !namesIn(value).includes(name)),
};

/** Only the machine's owner allows grants for a whole project. */
const mayGrant = ranked(either<'never' | 'session'>('never', 'session'), (reach) => (reach === 'never' ? 2 : 1));

/** More days remove less. */
const leastDays = ranked(amount(), (days) => days);

export const policySettings: ReadonlyMap<string, PolicySetting> = new Map([
	...gateTable.flatMap(({ setting, mayHold }): [string, PolicySetting][] => [
		[`gates.${setting}.enabled`, strictWhen(true, flag)],
		...(mayHold === false ? [] : ([[`gates.${setting}.hold`, strictWhen(false, flag)]] as [string, PolicySetting][])),
	]),
	...gateSettings.map(({ path, wants, read, isLooser }): [string, PolicySetting] => {
		const known = whole(read);
		return [path, { wants, read: known, isLooser: (value, than) => isLooser(known(value), known(than)) }];
	}),
	['gates.permissionRequest.hold', strictWhen(false, flag)],
	['commands.withoutSandbox', strictWhen('refuse', either<'run' | 'refuse'>('run', 'refuse'))],
	['approvals.observe', strictWhen(true, flag)],
	['approvals.holdSeconds', holdSeconds],
	['hub.mayDecide', strictWhen(false, flag)],
	['hub.mayGrant', mayGrant],
	['hub.neverRemote', neverRemote],
	['retention.archiveDays', leastDays],
	['retention.keepLabelled', strictWhen(true, flag)],
]);

/** Without `than`, compared with no policy. */
export function looserIn(body: PolicyBody, than: PolicyBody = {}): string[] {
	return [...policySettings].filter(([path, { isLooser }]) => isLooser(body[path], than[path])).map(([path]) => path);
}

/** What a hub may change by itself. */
export const tightens = (body: PolicyBody, base: PolicyBody = {}): boolean => looserIn(body, base).length === 0;

/** Nested as in `config.json`, or by path. */
export function readPolicyBody(value: unknown): { body: PolicyBody } | { problem: string } {
	const body: Record<string, PolicyValue> = {};
	const problem = isJson(value) ? readInto(body, '', value) : 'it must be a JSON object, as config.json is';
	return problem === undefined ? { body } : { problem };
}

function readInto(body: Record<string, PolicyValue>, before: string, values: object): string | undefined {
	for (const [key, value] of Object.entries(values)) {
		const path = `${before}${key}`;
		const setting = policySettings.get(path);
		if (!setting && isJson(value)) {
			const problem = readInto(body, `${path}.`, value);
			if (problem !== undefined) return problem;
			continue;
		}
		if (!setting) return `${path.slice(0, 100)} is no setting of a policy`;
		const read = setting.read(value);
		if (read === undefined) return `${path} must be ${setting.wants}`;
		if (Object.hasOwn(body, path)) return `${path} is there twice`;
		body[path] = read;
	}
	return undefined;
}

/** Hooks read it, whether a server runs or not. */
export const POLICY_FILE = 'hub-policy.json';

export interface KeptPolicy extends SettingsPolicy {
	hub: string;
	team: string;
	version: number;
	expires: string;
}

export interface PolicyFound {
	policy?: KeptPolicy;
	problem?: string;
}

const UNREADABLE: PolicyFound = {
	problem: `~/.overtone/${POLICY_FILE} is not as a hub's policy is kept; it is ignored`,
};

let last: { text: string; kept: KeptPolicy | null | undefined } | undefined;

/** Without a schema, since hooks load it; the writer of the file has checked it. No text is no policy. */
export function policyInForce(text: string | undefined, now: number): PolicyFound {
	if (text === undefined) return {};
	if (last?.text !== text) last = { text, kept: readKept(text) };
	const { kept } = last;
	if (kept === undefined) return UNREADABLE;
	return kept !== null && Date.parse(kept.expires) > now ? { policy: kept } : {};
}

/** Null for no policy; undefined if unreadable. */
function readKept(text: string): KeptPolicy | null | undefined {
	try {
		const { hub, mayLoosen, signed } = JSON.parse(text);
		if (signed === null) return null;
		const { team, version, expires, body } = signed.policy;
		if (typeof body !== 'object' || body === null || Number.isNaN(Date.parse(expires))) return undefined;
		return {
			hub: String(hub),
			team: String(team),
			version: Number(version),
			expires,
			body: body as PolicyBody,
			mayLoosen: mayLoosen === true,
		};
	} catch {
		return undefined;
	}
}
