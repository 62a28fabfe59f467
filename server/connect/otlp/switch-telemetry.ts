import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import {
	agentFolder,
	type Person,
	type TelemetryBlock,
	type TelemetryMembers,
	type TelemetryTarget,
} from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentName, agentRow } from '#lib/agents/agent-table.ts';
import { backupChange, backupOf, type FileChange } from '../../setup/file-change.ts';
import { dropMembers, memberAt, setMembers } from '../../setup/json-members.ts';
import { SettingsRefused } from '../../setup/merge-settings.ts';
import { readIfThere } from '../../setup/read-text.ts';
import { holdsTelemetryToken } from './telemetry-token.ts';

/** For checks that need no target. */
const ANYWHERE: TelemetryTarget = { url: '', token: '' };

/**
 * Changes that make a client send telemetry to us; none for one that cannot. Throws SettingsRefused if the person has telemetry
 * of their own.
 */
export function planTelemetry(
	agent: AgentName,
	project: string,
	person: Person,
	target: TelemetryTarget,
): FileChange[] {
	const file = telemetryFile(agent, person);
	if (!file) return [];
	const { path, how } = file;
	const before = readIfThere(path);
	if (!isOurs(before, path, how)) refuseOthers(agent, file, project, person);
	if ('block' in how) return [{ path, before, after: withBlock(before, path, how.block(target)), isSecret: true }];
	// A person's own empty file must not look like ours when our part is removed.
	const isOwnNothing = before !== undefined && isNothing(before);
	return [
		backupChange(path, before, isOwnNothing),
		{ path, before, after: setMembers(before, path, how.members(target)), isSecret: true },
	];
}

/** Undoes `planTelemetry`: restores the file, or removes our part of it. Empty if nothing there is ours. */
export function planTelemetryRemoval(agent: AgentName, person: Person): FileChange[] {
	const file = telemetryFile(agent, person);
	if (!file) return [];
	const { path, how } = file;
	const before = readIfThere(path);
	if (before === undefined || !isOurs(before, path, how)) return [];
	if ('block' in how) return [{ path, before, after: isBlockAlone(before) ? undefined : withoutBlock(before) }];
	const rest = dropMembers(before, path, undefined, how.members(ANYWHERE));
	const backup = readIfThere(backupOf(path));
	if (!isNothing(rest)) return [{ path, before, after: rest }];
	if (backup === undefined) return [{ path, before, after: undefined }];
	return [
		{ path, before, after: isNothing(backup) ? backup : rest },
		{ path: backupOf(path), before: backup, after: isNothing(backup) ? undefined : backup },
	];
}

const isNothing = (text: string): boolean => /^\s*(?:\{\s*\})?\s*$/.test(text);

/** Whether a client sends to this target, to another one of ours, or not to us. */
export function telemetryState(
	agent: AgentName,
	project: string,
	person: Person,
	target: TelemetryTarget,
): 'yes' | 'other' | 'no' {
	const file = telemetryFile(agent, person);
	if (!file) return 'no';
	const text = readIfThere(file.path);
	if (!isOurs(text, file.path, file.how)) return 'no';
	const changes = planTelemetry(agent, project, person, target);
	return changes.every(({ before, after }) => before === after) ? 'yes' : 'other';
}

/** What the person has to do by hand for these clients. */
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

interface TelemetryFile {
	path: string;
	how: TelemetryMembers | TelemetryBlock;
}

function telemetryFile(agent: AgentName, person: Person): TelemetryFile | undefined {
	const setup = setupOf(agent);
	const how = setup.telemetry?.switch;
	if (!how || 'variables' in how) return undefined;
	return { path: join(agentFolder(setup, person), how.file), how };
}

function isOurs(text: string | undefined, path: string, how: TelemetryFile['how']): boolean {
	if (text === undefined || !holdsTelemetryToken(text)) return false;
	if ('block' in how) return hasBlock(text);
	return how
		.members(ANYWHERE)
		.some(({ path: at }) => holdsTelemetryToken(JSON.stringify(memberAt(text, path, at) ?? null)));
}

function refuseOthers(agent: AgentName, { path, how }: TelemetryFile, project: string, person: Person): void {
	const found =
		'block' in how
			? Object.hasOwn(readToml(withoutBlock(readIfThere(path) ?? ''), path), how.table)
				? [path]
				: []
			: ownOf(path, how, project, person);
	if (found.length === 0) return;
	throw new SettingsRefused(
		`${agentRow(agent).title} has telemetry of your own (${found.join(', ')}), which was not changed. To send it here, remove it there, then run \`signalbox init --telemetry\` again.`,
	);
}

/** The person's own telemetry settings: in the file, in those of the project, or in the environment. */
function ownOf(path: string, { taken, alsoIn = [] }: TelemetryMembers, project: string, { env }: Person): string[] {
	const files = [path, ...alsoIn.map((file) => join(project, file))].filter((file) => isSetIn(file, taken));
	const variables = taken.flatMap(([file, name = '']) => (file === 'env' && env[name] ? [`the variable ${name}`] : []));
	return [...files, ...variables];
}

function isSetIn(file: string, taken: TelemetryMembers['taken']): boolean {
	const text = readIfThere(file);
	return text !== undefined && text.trim() !== '' && taken.some((at) => memberAt(text, file, at) !== undefined);
}

const BEGIN = '# >>> telemetry for signalbox; `signalbox init --remove` takes it out';
const END = '# <<< telemetry for signalbox';
const OURS = new RegExp(`(?:\\r?\\n)?${BEGIN}\\r?\\n[\\s\\S]*?\\r?\\n${END}(?:\\r?\\n|$)`);

const hasBlock = (text: string): boolean => OURS.test(text);

/** Appends our lines after exactly one line break of ours. Throws SettingsRefused for invalid TOML. */
function withBlock(found: string | undefined, path: string, block: string): string {
	const text = found ?? '';
	readToml(withoutBlock(text), path);
	const end = /\r?\n/.exec(text)?.[0] ?? '\n';
	const isAtStart = found === undefined || text.startsWith(BEGIN);
	const ours = [...(isAtStart ? [] : ['']), BEGIN, ...block.split('\n'), END, ''].join(end);
	const whole = hasBlock(text) ? text.replace(OURS, () => ours) : `${text}${ours}`;
	readToml(whole, path);
	return whole;
}

const withoutBlock = (text: string): string => text.replace(OURS, '');

/** A person's own empty file has a line end before our lines. */
const isBlockAlone = (text: string): boolean => text.startsWith(BEGIN) && withoutBlock(text) === '';

function readToml(text: string, path: string) {
	try {
		return parse(text.replace(/^\uFEFF/, ''), { integersAsBigInt: 'asNeeded' });
	} catch (error) {
		const where = error instanceof TomlError ? `line ${error.line} is no TOML` : 'it is no TOML';
		throw new SettingsRefused(`${path} was not changed: ${where}. Correct it and run the command again.`);
	}
}
