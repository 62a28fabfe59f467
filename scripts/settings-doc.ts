import * as z from 'zod';
import { Anchor } from '#lib/audit/audit-settings.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { gateSettings, gateTable } from '#lib/gates/gate-table.ts';
import { Channel, Notify } from '#lib/notify/notify-settings.ts';
import type { RetentionSettings } from '#lib/retention/retention-policy.ts';
import { DEFAULT_HOLD_SECONDS } from '#lib/settings/policy-settings.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { SUPERVISOR_LIMITS } from '#lib/supervisor/state.ts';
import { Telemetry } from '#lib/telemetry/telemetry-settings.ts';
import { Prices } from '#lib/usage/usage-settings.ts';
import { LLMSection } from '#server/reviewers/llm/llm-config.ts';
import { otherMeanings } from './setting-meanings.ts';

interface SettingRow {
	path: string;
	type: string;
	unset: string;
	means: string;
}

const INTRO = `# Settings

<!-- Generated from the gates and the schemas of the settings; run: npx vitest run scripts/settings-doc.test.ts --update -->

All keys of \`~/.overtone/config.json\`. A key is written nested or as one text with dots. \`.overtone/config.json\` of a project may set
those of gates, commands, approvals, workflows, hub and retention, and only tightens them, except where it says otherwise. A hub's
[policy](hub-security.md) may set the settings of gates, too. A value that does not fit is ignored and named by \`signalbox doctor\`.
`;

const row = (path: string, type: string, unset: unknown, means: string): SettingRow => {
	return { path, type, unset: unset === undefined ? '' : `\`${JSON.stringify(unset)}\``, means };
};

function gateRows({ setting, start, mayHold }: GateRow): SettingRow[] {
	const where = typeof start === 'string' ? `\`${start === 'on'}\`` : `on where ${start.where}`;
	const enabled = {
		...row(`gates.${setting}.enabled`, 'boolean', undefined, 'Whether the gate judges.'),
		unset: where,
	};
	const hold = row(`gates.${setting}.hold`, 'boolean', mayHold === true, 'Whether its denials wait for a person.');
	return mayHold === false ? [enabled] : [enabled, hold];
}

/** Read without a schema, since hooks load them: a new field of these types asks for its row here. */
type Field = Exclude<keyof Settings, 'gates' | 'onMismatch' | 'values' | 'commands' | 'problems'>;
const { maxIterations, timeoutSeconds } = SUPERVISOR_LIMITS;
const settingRows: Readonly<Record<Field, readonly SettingRow[]>> = {
	workflow: [
		row(
			'workflow.enabled',
			'boolean',
			undefined,
			'Whether workflows guide. Unset: in projects with features in progress. A project chooses freely.',
		),
	],
	holdSeconds: [
		row('approvals.holdSeconds', 'seconds', DEFAULT_HOLD_SECONDS, 'How long a denied call waits for a person.'),
	],
	observe: [
		row('approvals.observe', 'boolean', false, 'Calls are judged and recorded; none waits, and no one decides.'),
	],
	undoSeconds: [
		row('approvals.undoSeconds', '0 to 30', 0, 'How long a decision on a card can be taken back. Home only.'),
	],
	holdsPrompts: [
		row('gates.permissionRequest.hold', 'boolean', true, "Whether the client's own prompts wait as denials do."),
	],
	withoutSandbox: [
		row(
			'commands.withoutSandbox',
			'"run" or "refuse"',
			'run',
			'What the agent shell does on a machine without a sandbox.',
		),
	],
	supervisor: [
		row(
			'supervisor.maxIterations',
			`${maxIterations.least} to ${maxIterations.most}`,
			maxIterations.default,
			'Reviews of one stop at most. Home only.',
		),
		row(
			'supervisor.timeoutSeconds',
			`${timeoutSeconds.least} to ${timeoutSeconds.most}`,
			timeoutSeconds.default,
			'How long one review may take. Home only.',
		),
	],
	hubMayDecide: [row('hub.mayDecide', 'boolean', true, 'Whether people at the hub may decide calls of this machine.')],
	hubMayGrant: [
		row('hub.mayGrant', '"never", "session" or "project"', 'session', 'The widest grant that the hub may give.'),
	],
	hubNeverRemote: [
		row('hub.neverRemote', 'a list of names of gates', [], 'Gates whose denials are approved at the machine alone.'),
	],
};
const retentionRows: Readonly<Record<Exclude<keyof RetentionSettings, 'problems' | 'leastDays'>, SettingRow>> = {
	automatic: row('retention.automatic', 'boolean', false, 'Whether the server removes automatically. Home only.'),
	sessionDays: row('retention.sessionDays', 'days', undefined, "When an archived session's own files are removed."),
	archiveDays: row('retention.archiveDays', 'days', undefined, 'When an archive is removed.'),
	archiveMegabytes: row(
		'retention.archiveMegabytes',
		'megabytes',
		undefined,
		'The oldest archives are removed until the rest fits. Home only.',
	),
	keepLabelled: row(
		'retention.keepLabelled',
		'boolean',
		true,
		'An archive stays if a session in it has a note with a label.',
	),
};
const perProject = row(
	'retention.projects',
	'numbers of retention by folder',
	undefined,
	'Single projects. Home only.',
);

/** Rows of a schema; a path without a meaning, or a meaning without a path, is an error. */
function schemaRows(): SettingRow[] {
	const schemas = {
		'llm.': LLMSection,
		'notify.': Notify,
		'notify.channels.NAME.': Channel,
		'audit.anchors.NAME.': Anchor,
		'telemetry.': Telemetry,
		'usage.prices.MODEL.': Prices,
	};
	const rows = Object.entries(schemas).flatMap(([prefix, schema]) => {
		const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
		const fields = (json.oneOf ?? json.anyOf ?? [json]).flatMap((shape) => Object.entries(shape.properties ?? {}));
		const names = [...new Set(fields.map(([name]) => name))];
		return names.map((name) => {
			const shapes = fields.flatMap(([field, shape]) => (field === name ? [shape] : []));
			const path = `${prefix}${name}`;
			const means = otherMeanings[path];
			if (means === undefined) throw new Error(`scripts/setting-meanings.ts has no meaning for ${path}.`);
			const types = new Set(shapes.map(typeWords));
			return row(path, [...types].join(' or '), shapes[0]?.default, means);
		});
	});
	const gone = Object.keys(otherMeanings).filter((path) => !rows.some((each) => each.path === path));
	if (gone.length > 0) throw new Error(`scripts/setting-meanings.ts: no schema has ${gone.join(', ')}.`);
	return rows;
}

interface Shape {
	type?: string;
	const?: unknown;
	enum?: unknown[];
	default?: unknown;
	items?: Shape;
	oneOf?: Shape[];
	anyOf?: Shape[];
	properties?: Record<string, Shape>;
}

function typeWords(shape: Shape): string {
	if (shape.const !== undefined) return JSON.stringify(shape.const);
	if (shape.enum) return shape.enum.map((word) => JSON.stringify(word)).join(' or ');
	if (shape.properties) return `an object of ${Object.keys(shape.properties).join(', ')}`;
	if (shape.type === 'array') return `a list of ${shape.items?.type ?? 'string'}s`;
	return shape.type ?? 'any';
}

/** Every setting, in the order of the document. */
export function allSettings(): SettingRow[] {
	return [
		...gateTable.flatMap(gateRows),
		...gateSettings.map(({ path, wants, unset, means }) => row(path, wants, unset, means)),
		...Object.values(settingRows).flat(),
		...Object.values(retentionRows),
		perProject,
		...schemaRows(),
	];
}

/** The whole of `docs/guide/settings.md`. */
export function renderSettingsDoc(): string {
	const cell = (text: string) => text.replaceAll('|', '\\|');
	const lines = allSettings().map(
		({ path, type, unset, means }) => `| \`${path}\` | ${cell(type)} | ${cell(unset)} | ${cell(means)} |`,
	);
	return [`${INTRO}`, '| Key | Type | Default | Meaning |', '|---|---|---|---|', ...lines, ''].join('\n');
}
