import type * as z from 'zod';
import { agentEvents } from '#lib/contract/events/catalogue/agent.ts';
import { approvalEvents } from '#lib/contract/events/catalogue/approval.ts';
import { judgementEvents } from '#lib/contract/events/catalogue/judgement.ts';
import { sessionEvents, systemEvents } from '#lib/contract/events/catalogue/session.ts';
import { workflowEvents } from '#lib/contract/events/catalogue/workflow.ts';
import { parseEvent } from '#lib/contract/events/event.ts';

/** Every type with its fields. A type that the catalogue gains is attacked from then on. */
const catalogue: Record<string, z.core.$ZodShape> = {
	...sessionEvents,
	...workflowEvents,
	...agentEvents,
	...judgementEvents,
	...approvalEvents,
	...systemEvents,
};

/** What stands in for a text where only some form is taken. */
const FORMED = ['2026-05-01T12:00:00.000Z', 'gallery-0001'];
const NUMBERS = [1, 0, 3, 86_400_000, -1, 1e21];

/** A value that fits the schema and has hostile text wherever text may stand, names of free fields included. */
function fill(schema: z.core.$ZodType, next: () => string): unknown {
	const { def } = (schema as z.core.$ZodTypes)._zod;
	const fits = (value: unknown) => (schema as z.ZodType).safeParse(value).success;
	switch (def.type) {
		case 'string': {
			const text = next();
			return [text, text.slice(0, 100), `call:${text.slice(0, 100)}`, ...FORMED].find(fits);
		}
		case 'number':
			return [NUMBERS[next().length % NUMBERS.length], 1].find(fits);
		case 'boolean':
			return next().length % 2 === 0;
		case 'enum':
			return Object.values(def.entries)[next().length % Object.keys(def.entries).length];
		case 'literal':
			return def.values[0];
		case 'array':
			return [fill(def.element, next), fill(def.element, next)];
		case 'object':
			return Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, fill(field, next)]));
		case 'record':
			return { [next()]: fill(def.valueType, next), [next()]: fill(def.valueType, next) };
		case 'optional':
		case 'nullable':
			return fill(def.innerType, next);
		case 'unknown':
			return { [next()]: next(), list: [next(), { [next()]: next() }] };
		default:
			throw new Error(`No hostile value is known for ${def.type}.`);
	}
}

const CALL = ['agent:delegate', 'tool:call', 'gate:verdict', 'routing:mismatch', 'agent:start', 'tool:result'];

/**
 * The lines of a session in which every field of every type holds hostile text, ids of calls and agents included, then
 * one of an unknown type. Throws when a line does not read as its type: it would attack nothing.
 */
export function hostileEvents(sessionId: string, start: number, next: () => string): Record<string, unknown>[] {
	const toolUseId = next().slice(0, 200);
	const agentId = next().slice(0, 100);
	const types = [
		...CALL,
		...Object.keys(catalogue).filter(
			(type) => type !== 'system:gap' && !type.startsWith('session:') && !CALL.includes(type),
		),
	];
	return ['session:start', ...types, 'session:notice', 'session:compact'].map((type, at) => {
		const fields = Object.entries(catalogue[type] ?? {}).map(([name, schema]) => [name, fill(schema, next)]);
		const line = {
			...Object.fromEntries(fields),
			id: `${sessionId.slice(-8)}-${at}`,
			ts: new Date(start + at * 1000).toISOString(),
			type,
			category: next(),
			label: next(),
			sessionId,
			// Pages leave a reviewer's session out.
			...(type === 'session:start' && { reviewer: false }),
			...(CALL.includes(type) && { toolUseId }),
			...(!type.startsWith('session:') && at % 2 === 0 && { agentId }),
		};
		const read = parseEvent(JSON.parse(JSON.stringify(line)));
		if (read === null || 'unknown' in read) throw new Error(`A hostile ${type} does not read as one.`);
		return line;
	});
}
