import * as z from 'zod';
import { agentEvents } from '#lib/contract/events/catalogue/agent.ts';
import { approvalEvents } from '#lib/contract/events/catalogue/approval.ts';
import { judgementEvents } from '#lib/contract/events/catalogue/judgement.ts';
import { sessionEvents, systemEvents } from '#lib/contract/events/catalogue/session.ts';
import { workflowEvents } from '#lib/contract/events/catalogue/workflow.ts';
import { envelope, MAX_EVENT_BYTES } from '#lib/contract/events/event.ts';
import { labelOf } from '#lib/contract/events/event-labels.ts';

/** The rooms of the catalogue, in the order of the document. */
export const catalogue: Readonly<Record<string, Readonly<Record<string, z.ZodRawShape>>>> = {
	'Workflow, stages, loop and features': workflowEvents,
	'Session and prompts': sessionEvents,
	'Agents, tools and commands': agentEvents,
	'Verdicts and plans': judgementEvents,
	'Approvals and grants': approvalEvents,
	'Signalbox itself': systemEvents,
};

const INTRO = `# Events

<!-- Generated from lib/contract; change it there, then run: npx vitest run scripts/events-doc.test.ts --update -->

Each line of a \`timeline.jsonl\` is one event: a flat JSON object with the envelope and the fields of its type, at most
${MAX_EVENT_BYTES / 1024} KiB. A larger value stands in \`blobs/<sha256>\` of its session, and \`{blob, bytes, preview}\` takes its place. A type that
is not listed here is kept and shown as it came.

"Shown" types appear in a session's story without a filter being set. \`?\` marks a field that may be absent, \`json\` is any JSON
that the agent sent. The Chinese labels are those of the Overtone format, continued for our own types.
Times are ISO 8601 in UTC. Durations end in \`Ms\` and are milliseconds.
`;

type JsonSchema = z.core.JSONSchema._JSONSchema;

function typeName(schema: JsonSchema): string {
	if (typeof schema === 'boolean') return 'json';
	if (schema.const !== undefined) return JSON.stringify(schema.const);
	if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
	if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ');
	if (schema.type === 'array') {
		const { items } = schema;
		const item = items === undefined || Array.isArray(items) ? 'json' : typeName(items);
		return item.includes(' ') ? `list of (${item})` : `list of ${item}`;
	}
	return [schema.type ?? 'json'].flat().join(' or ');
}

function fieldList(shape: z.ZodRawShape): string {
	const { properties = {}, required = [] } = z.toJSONSchema(z.object(shape));
	return Object.entries(properties)
		.map(([name, schema]) => {
			const type = typeName(schema);
			return `\`${name}${required.includes(name) ? '' : '?'}\` ${type}`;
		})
		.join(', ');
}

function table(events: Readonly<Record<string, z.ZodRawShape>>): string {
	const rows = Object.entries(events).map(([type, shape]) => {
		const { en, zh, shown } = labelOf(type);
		return `| \`${type}\` | ${en} | ${zh} | ${shown ? 'yes' : 'no'} | ${fieldList(shape) || 'none'} |`;
	});
	return ['| Type | Label | 中文 | Shown | Fields |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The whole of `docs/events.md`, from the contract alone. */
export function renderEventsDoc(): string {
	const sections = Object.entries(catalogue).map(([title, events]) => `## ${title}\n\n${table(events)}\n`);
	return [INTRO, `## Envelope\n\n${fieldList({ type: z.string(), ...envelope })}\n`, ...sections].join('\n');
}
