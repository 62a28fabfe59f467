import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { soakRuns } from '#soak/rig/soak-runs.ts';
import { respond } from '../engine/respond.ts';
import { memoryPorts } from '../testing/memory-ports.ts';
import { recordedInputs } from '../testing/recorded-agent.ts';
import { adapterOf } from './adapter-of.ts';

const { numRuns: MUTATIONS, seed } = soakRuns('agents', 300, 10_000);
const excluded = '{"commands": {"exclude": ["echo", "sleep"]}}';
const policy = { '/work-dir/project/.overtone/config.json': excluded, '/shop/.overtone/config.json': excluded };
/** Every shape that a make is ever printed: anything else may be read as something else. */
const shapes: Readonly<Record<string, RegExp>> = {
	codex:
		/^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[^"]/,
	gemini: /^\{"decision":"deny","reason":"[^"]/,
	qwen: /^\{"hookSpecificOutput":\{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"[^"]/,
	opencode: /^\{"decision":"deny","reason":"[^"]/,
	pi: /^\{"decision":"deny","reason":"[^"]/,
	cursor: /^\{"permission":"deny","user_message":"[^"]/,
	copilot: /^\{"permissionDecision":"deny","permissionDecisionReason":"[^"]/,
};

const junk = fc.oneof(
	fc.jsonValue({ maxDepth: 3 }),
	fc.constantFrom(null, true, 0, -1, 1e308, '', [], {}, 'x'.repeat(70_000), '\u0000', '../../etc', '__proto__'),
);

/** One input truncated, with a field of another type, oversized, with fields taken from another input, or in another order. */
function mutated(inputs: readonly Record<string, unknown>[]) {
	const one = fc.constantFrom(...inputs);
	const cut = fc.tuple(one, fc.double({ min: 0, max: 1, noNaN: true })).map(([input, at]) => {
		const text = JSON.stringify(input);
		return text.slice(0, Math.floor(text.length * at));
	});
	const retyped = fc.tuple(one, fc.nat(), junk).map(([input, at, value]) => {
		const keys = Object.keys(input);
		return JSON.stringify({ ...input, [keys[at % keys.length] ?? 'x']: value });
	});
	const mixed = fc.tuple(one, one, fc.nat()).map(([left, right, at]) => {
		const taken = Object.entries(right).filter((_, index) => (at >> (index % 16)) % 2 === 1);
		return JSON.stringify({ ...left, ...Object.fromEntries(taken) });
	});
	const reordered = one.map((input) => JSON.stringify(Object.fromEntries(Object.entries(input).reverse())));
	return fc.oneof(cut, retyped, mixed, reordered);
}

it.each(Object.keys(shapes))(
	`agents R1329 of ${MUTATIONS} damaged inputs of %s none blocks by accident, none gets an answer in another make’s shape, none is lost`,
	{ timeout: 600_000 },
	(agent) => {
		const inputs = recordedInputs(agent).map(({ input }) => input);
		let free = memoryPorts();
		let guarded = memoryPorts(policy);
		let denied = 0;
		let n = 0;
		const ask = (raw: string, ports: typeof free) =>
			respond(raw, { agent, requestId: `r${n}`, profile: 'open', timeoutSeconds: 60 }, ports);
		fc.assert(
			fc.property(mutated(inputs), (raw) => {
				n += 1;
				if (n % 25 === 0) [free, guarded] = [memoryPorts(), memoryPorts(policy)];
				const before = free.all().length;
				const unguarded = ask(raw, free);
				expect(unguarded.output).toBeNull();
				// A call is recorded once at most.
				const isRecorded = free.all().length > before || unguarded.repeated === true;
				expect(isRecorded || isMessage(agent, raw)).toBe(true);
				const { output } = ask(raw, guarded);
				if (output === null) return;
				denied += 1;
				expect(JSON.stringify(output)).toMatch(shapes[agent] ?? /never/);
			}),
			{ numRuns: MUTATIONS, seed, endOnFailure: true },
		);
		expect(denied).toBeGreaterThan(MUTATIONS / 100);
	},
);

/** Of a message only its last part is recorded. */
function isMessage(agent: string, raw: string): boolean {
	const read = adapterOf(agent).read(raw);
	return read.ok && read.hook.at === 'message' && !read.hook.isFinal;
}
