import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { PolicyVersion } from '#lib/hub/policy.ts';
import { parsedJson } from '#lib/json/json.ts';
import { readPolicyBody } from '#lib/settings/policy-settings.ts';
import { printable } from '#lib/text/printable.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import {
	createPolicyStore,
	type PolicyStore,
	readPolicyStates,
	type StoredVersion,
} from '../../hub/policies/policy-service.ts';
import { EXIT, type OptionValues, Refusal, type Terminal, UsageError } from '../../process/command.ts';
import { databaseOf, withDatabase } from './hub-database.ts';
import { type HubArgs, numberOf, teamOf, urlOf } from './hub-options.ts';
import { identityOf } from './hub-work.ts';

const SHOWN = 5;

export async function changePolicy(terminal: Terminal, request: HubArgs): Promise<number> {
	const { action, values } = request;
	const team = teamOf(values);
	const days = values.days === undefined ? undefined : numberOf(values, 'days', 30, 366);
	return withDatabase(databaseOf(terminal), async ({ query }) => {
		const policies = createPolicyStore(query, Date.now);
		const id = await policies.teamOf(team);
		if (id === undefined)
			throw new Refusal(
				`There is no team ${JSON.stringify(team)}. \`signalbox hub edges\` lists those that have machines.`,
			);
		if (action === 'set') return await setPolicy(terminal, policies, { ...request, team, days });
		if (action === 'remove') return await removePolicy(terminal, policies, team, values);
		if (action !== 'show') throw new UsageError('Use `hub policy set FILE`, `hub policy show` or `hub policy remove`.');
		const states = await readPolicyStates(query, id);
		for (const kept of (await policies.versions(id, SHOWN)).reverse()) {
			const { version, body } = kept.signed.policy;
			terminal.print(versionLine(kept));
			terminal.print(`    ${visibleString(JSON.stringify(body))}`);
			for (const { name, edge, state, why } of states.filter((one) => one.version === version))
				terminal.print(`    ${edge}\t${printable(name)}\t${state}${why === undefined ? '' : `: ${printable(why)}`}`);
		}
		return EXIT.done;
	});
}

function versionLine({ signed, ready, removed }: StoredVersion): string {
	const { version, expires } = signed.policy;
	const how = removed ? 'removed' : ready ? 'sent' : 'waits for a root passkey';
	return `v${version}\tuntil ${expires}\t${how}${signed.root ? ', signed by a root passkey' : ''}`;
}

async function setPolicy(
	terminal: Terminal,
	policies: PolicyStore,
	{ word: file, values, team, days }: HubArgs & { team: string; days: number | undefined },
): Promise<number> {
	if (file === undefined) throw new UsageError('Give a file: `hub policy set FILE`.');
	const version = values.version === undefined ? undefined : PolicyVersion.safeParse(Number(values.version)).data;
	if (values.version !== undefined && version === undefined)
		throw new UsageError(`--version must be a whole number from 1 up, but it is "${values.version}".`);
	const read = readPolicyBody(parsedJson(readFileSync(resolve(terminal.cwd, file), 'utf8').replace(/^\ufeff/, '')));
	if ('problem' in read) throw new Refusal(`${file} is not a policy: ${read.problem}.`);
	const identity = await identityOf(terminal, urlOf(values));
	const added = await policies.add(identity, team, read.body, { days, version, by: 'machine' });
	if (!added) return EXIT.failed;
	const { policy } = added.signed;
	if (added.needsRoot === null) {
		terminal.print(
			`v${policy.version} of ${team} is valid until ${policy.expires}; its machines receive it when they connect.`,
		);
		return EXIT.done;
	}
	if (!added.isKept) throw new Refusal(`Not set: ${added.needsRoot}, and this hub has no root passkey.`);
	terminal.print(`v${policy.version} of ${team} waits on the hub's Rules page: ${added.needsRoot}.`);
	return EXIT.done;
}

async function removePolicy(
	terminal: Terminal,
	policies: PolicyStore,
	team: string,
	values: OptionValues,
): Promise<number> {
	const kept = await policies.remove(await identityOf(terminal, urlOf(values)), team, 'machine');
	terminal.print(`Machines of ${team} receive no policy any more.`);
	if (kept)
		terminal.print(
			`Those that have v${kept.version} apply it until ${kept.expires}, or until they receive a looser one signed by a root passkey.`,
		);
	return EXIT.done;
}
