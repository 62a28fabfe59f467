import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TelemetryBlock, TelemetryMembers, TelemetryTarget } from '#hooks-bridge/agents/agent-telemetry.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentName, agentRow } from '#lib/agents/agent-table.ts';
import { agentFolder, type Person } from '../agents/plan-agent.ts';
import { backupOf } from '../install/file-backup.ts';
import type { FileChange } from '../install/file-change.ts';
import { dropMembers, memberAt, putMembers } from '../install/json-members.ts';
import { SettingsRefused } from '../install/merge-settings.ts';
import { readIfThere } from '../install/read-text.ts';
import { holdsTelemetryToken } from './telemetry-token.ts';

const BEGIN = '# >>> telemetry for signalbox; `signalbox init --remove` takes it out';
const END = '# <<< telemetry for signalbox';
const OURS = new RegExp(`\n?${BEGIN}\n[\\s\\S]*?\n${END}\n`);

/** Where only the fact that something of ours stands there counts. */
const ANYWHERE: TelemetryTarget = { url: '', token: '' };

/**
 * What has a make send its telemetry to us: ours anew where it stands, else added. Nothing for a make that exports nothing
 * or has no file for it. Throws SettingsRefused where a person's own telemetry stands.
 */
export function planTelemetry(
	agent: AgentName,
	project: string,
	person: Person,
	target: TelemetryTarget,
): FileChange[] {
	const place = placeOf(agent, person);
	if (!place) return [];
	const { path, how } = place;
	const before = readIfThere(path);
	if (!isOurs(before, path, how)) refuseOthers(agent, place, project, person);
	return [
		{
			path,
			before,
			after: 'block' in how ? withBlock(before, how.block(target)) : withMembers(before, path, how, target),
		},
	];
}

/** What takes it back; a file that then holds nothing goes, if it was of our making. */
export function planTelemetryRemoval(agent: AgentName, person: Person): FileChange[] {
	const place = placeOf(agent, person);
	if (!place) return [];
	const { path, how } = place;
	const before = readIfThere(path);
	if (before === undefined || !isOurs(before, path, how)) return [];
	const rest = 'block' in how ? before.replace(OURS, '') : dropMembers(before, path, undefined, how.members(ANYWHERE));
	const isNothing = /^\s*(?:\{\s*\})?\s*$/.test(rest) && !existsSync(backupOf(path));
	return [{ path, before, after: isNothing ? undefined : rest }];
}

/** Whether a make sends to this target, to another one of ours, or not to us. Throws SettingsRefused as reading does. */
export function telemetryState(
	agent: AgentName,
	project: string,
	person: Person,
	target: TelemetryTarget,
): 'yes' | 'other' | 'no' {
	const place = placeOf(agent, person);
	if (!place) return 'no';
	const text = readIfThere(place.path);
	if (!isOurs(text, place.path, place.how)) return 'no';
	return planTelemetry(agent, project, person, target).every(({ before, after }) => before === after) ? 'yes' : 'other';
}

/** What a person has to do themselves, or should know, in sentences. */
export function telemetryAdvice(agents: readonly AgentName[], target: TelemetryTarget): string[] {
	return agents.flatMap((agent) => {
		const { title } = agentRow(agent);
		const how = setupOf(agent).telemetry?.switch;
		if (!how) return [`${title} exports no telemetry.`];
		if (!('variables' in how)) return [];
		const variables = Object.entries(how.variables(target)).map(([name, value]) => `${name}='${value}'`);
		return [`${title} has no file for it. Start it with: ${variables.join(' ')}`];
	});
}

interface Place {
	path: string;
	how: TelemetryMembers | TelemetryBlock;
}

function placeOf(agent: AgentName, person: Person): Place | undefined {
	const setup = setupOf(agent);
	const how = setup.telemetry?.switch;
	if (!how || 'variables' in how) return undefined;
	return { path: join(agentFolder(setup, person), how.file), how };
}

function isOurs(text: string | undefined, path: string, how: Place['how']): boolean {
	if (text === undefined || !holdsTelemetryToken(text)) return false;
	if ('block' in how) return OURS.test(text);
	return how
		.members(ANYWHERE)
		.some(({ path: at }) => holdsTelemetryToken(JSON.stringify(memberAt(text, path, at) ?? null)));
}

function refuseOthers(agent: AgentName, { path, how }: Place, project: string, person: Person): void {
	const found =
		'block' in how ? (how.taken.test(readIfThere(path) ?? '') ? [path] : []) : ownOf(path, how, project, person);
	if (found.length === 0) return;
	throw new SettingsRefused(
		`${agentRow(agent).title} has telemetry of your own (${found.join(', ')}), which was left alone. Take it out there if it is to come here, then run \`signalbox init --telemetry\` again.`,
	);
}

/** Where a person's own telemetry stands: in the file, in those of the project, or in the environment. */
function ownOf(path: string, { taken, alsoIn = [] }: TelemetryMembers, project: string, { env }: Person): string[] {
	const files = [path, ...alsoIn.map((file) => join(project, file))].filter((file) => standsIn(file, taken));
	const variables = taken.flatMap(([place, name = '']) =>
		place === 'env' && env[name] ? [`the variable ${name}`] : [],
	);
	return [...files, ...variables];
}

function standsIn(file: string, taken: TelemetryMembers['taken']): boolean {
	const text = readIfThere(file);
	return text !== undefined && text.trim() !== '' && taken.some((at) => memberAt(text, file, at) !== undefined);
}

function withMembers(text: string | undefined, path: string, how: TelemetryMembers, target: TelemetryTarget): string {
	return putMembers(text, path, how.members(target));
}

function withBlock(text: string | undefined, block: string): string {
	const rest = (text ?? '').replace(OURS, '');
	const end = rest === '' || rest.endsWith('\n') ? rest : `${rest}\n`;
	return `${end}${end === '' ? '' : '\n'}${BEGIN}\n${block}\n${END}\n`;
}
