import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { POLICY_FILE, policyInForce } from '#lib/settings/policy-settings.ts';
import { printable } from '#lib/text/printable.ts';
import type { Check, SetUp } from './check.ts';

/** What the hub that this home has joined wants held back here; nothing where no policy holds. */
export function checkPolicy({ home }: Pick<SetUp, 'home'>): Check[] {
	const name = 'hub policy';
	const read = readBounded(join(home, POLICY_FILE), home);
	const { policy, problem } = policyInForce(read.ok ? read.text : undefined, Date.now());
	if (problem !== undefined) {
		const fix = 'start the server: it has the journal put it right';
		return [{ state: 'wrong', name, detail: problem, fix }];
	}
	if (!policy) return [];
	const { hub, team, version, expires, body, mayLoosen } = policy;
	const says = Object.entries(body).map(([path, value]) => `${path} ${JSON.stringify(value)}`);
	const by = mayLoosen ? ', signed by a root passkey' : '';
	const detail = `v${version} of team ${team} from ${hub}${by}, until ${expires}: ${says.join(', ') || 'nothing is held back'}`;
	return [{ state: 'ok', name, detail: printable(detail, 600) }];
}
