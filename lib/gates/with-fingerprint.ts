import type { Denial } from '../contract/catalogue/approval.ts';
import type { Facts } from './gate.ts';
import { gateById } from './gate-table.ts';

/** A denial with what later calls must share with it, where its gate can tell. */
export function withFingerprint(verdict: { gate: string; rule: string; reason: string; facts: Facts }): Denial {
	const { gate, rule, reason, facts } = verdict;
	const row = gateById(gate);
	if (!row?.fingerprint) return { gate, rule, reason, noGrant: true };
	const print = row.fingerprint(facts);
	return { gate, rule, reason, ...(print && { fingerprint: print.key, words: print.words }) };
}
