import { join } from 'node:path';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { agentTable } from '#lib/agents/agent-table.ts';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { GateRow, GateSwitch } from '#lib/gates/gate.ts';
import { basisWords, gateCoverage, hookWords, settingPaths } from '#lib/gates/gate-hooks.ts';
import { type SettingValues, settingValue } from '#lib/gates/gate-setting.ts';
import { gateTable, ownSettings } from '#lib/gates/gate-table.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { isRehearsed } from '#lib/rejudge/recorded-hook.ts';
import { type KeptPolicy, POLICY_FILE, policyInForce } from '#lib/settings/policy-settings.ts';
import { readSettings } from '#lib/settings/settings.ts';
import { defineRoute } from './define-route.ts';
import type { SessionViews } from './session-routes.ts';

export function createRuleRoutes({ home, tail }: { home: string; tail: Pick<SessionViews, 'views'> }) {
	return [
		defineRoute('GET /api/rules', () => {
			const config = readBounded(join(home, 'config.json'));
			const kept = readBounded(join(home, POLICY_FILE));
			const { policy, problem } = policyInForce(kept.ok ? kept.text : undefined, Date.now());
			const settings = readSettings(config.ok ? config.text : undefined, undefined, policy);
			return {
				makes: agentTable.map(({ name, title, seen }) => ({ name, title, isTried: 'run' in seen })),
				gates: gateTable.map((row) => gateForPage(row, settings.gates[row.setting], settings)),
				rules: countRules(tail.views().filter(({ sessionId }) => sessionId !== HOME_SESSION)),
				policy: policy ? policyForPage(policy) : null,
				problems: [...settings.problems, ...(problem === undefined ? [] : [problem])],
			};
		}),
	];
}

function policyForPage({ hub, team, version, expires: until, mayLoosen, body }: KeptPolicy): RuleList['policy'] {
	const says = Object.fromEntries(Object.entries(body).map(([path, value]) => [path, JSON.stringify(value)]));
	return { hub, team, version, until, mayLoosen, says };
}

export function gateForPage(
	row: GateRow,
	{ enabled, hold }: GateSwitch,
	inForce: SettingValues = {},
): RuleList['gates'][number] {
	const own = ownSettings(row);
	const { id, profile, basis, denies, start } = row;
	const words = typeof start === 'string' ? start : `where ${start.where}`;
	const settings = settingPaths(row);
	return {
		id,
		where: hookWords(row),
		profile,
		rests: basisWords(basis),
		settings,
		values: {
			...(enabled !== undefined && { [`gates.${row.setting}.enabled`]: JSON.stringify(enabled) }),
			...(row.mayHold && { [`gates.${row.setting}.hold`]: JSON.stringify(hold) }),
			...Object.fromEntries(own.map((each) => [each.path, JSON.stringify(settingValue(each, inForce))])),
		},
		rehearsedWith: Object.fromEntries(
			own.filter(({ rehearsal }) => rehearsal).map((each) => [each.path, settingValue(each, inForce)]),
		),
		denies: { ...denies },
		start: words,
		enabled: enabled ?? null,
		switch: `gates.${row.setting}.enabled`,
		isRehearsed: isRehearsed(row),
		hold,
		standing: Object.fromEntries(agentTable.map((agent) => [agent.name, gateCoverage(row, agent)])),
	};
}

/** Summed over the views, without reading events. Most frequent first. */
function countRules(views: readonly SessionView[]): RuleList['rules'] {
	const sums = new Map<string, { denied: number; overridden: number }>();
	for (const { rules = {} } of views) {
		for (const [rule, { denied, overridden }] of Object.entries(rules)) {
			const sum = sums.get(rule) ?? { denied: 0, overridden: 0 };
			sums.set(rule, { denied: sum.denied + denied, overridden: sum.overridden + overridden });
		}
	}
	return [...sums]
		.map(([rule, sum]) => ({ rule, ...sum }))
		.sort((a, b) => b.denied - a.denied || a.rule.localeCompare(b.rule));
}
