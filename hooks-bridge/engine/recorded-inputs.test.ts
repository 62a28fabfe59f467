import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { anyText } from '#lib/text/testing/any-text.ts';
import type { Profile } from '../ports/hook-run.ts';
import { memoryPorts } from '../testing/memory-ports.ts';
import { respond } from './respond.ts';

const recorded = readFileSync(new URL('../../e2e/fixtures/claude-code-hook-inputs.jsonl', import.meta.url), 'utf8')
	.trim()
	.split('\n')
	.map((line) => JSON.parse(line) as { run: string; input: Record<string, unknown> });
const profiles: readonly Profile[] = ['observe', 'open', 'closed', 'supervisor'];

const isObjectText = (raw: string): boolean => {
	try {
		const value: unknown = JSON.parse(raw);
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	} catch {
		return false;
	}
};

describe('recorded inputs of the real client', () => {
	it('R6 all 1,258 give JSON or nothing, and only events of the catalogue', () => {
		const ports = memoryPorts();
		recorded.forEach(({ input }, n) => {
			const answer = respond(JSON.stringify(input), { requestId: `r${n}`, profile: 'open' }, ports);
			const subagentCall = input.hook_event_name === 'PreToolUse' && input.tool_name === 'Agent';
			if (subagentCall && !answer.repeated) expect(answer.output).toMatchObject({ continue: true });
			else expect(answer.output === null || subagentCall).toBe(true);
		});
		expect(recorded).toHaveLength(1258);
		for (const event of ports.all()) {
			const parsed = parseEvent(event);
			expect(parsed && isKnown(parsed), `${event.type} fits the catalogue`).toBe(true);
		}
		expect(ports.all().map((event) => event.type)).not.toContain('system:warning');
	});
});

describe('hostile inputs', () => {
	const broken = fc.oneof(
		anyText(),
		fc.json(),
		fc.nat(recorded.length - 1).chain((n) => {
			const text = JSON.stringify(recorded[n]?.input);
			const cut = fc.nat(text.length).map((at) => text.slice(0, at));
			const flip = fc
				.tuple(fc.nat(text.length - 1), anyText({ minLength: 1, maxLength: 3 }))
				.map(([at, junk]) => text.slice(0, at) + junk + text.slice(at + 1));
			return fc.oneof(cut, flip);
		}),
		fc
			.tuple(fc.nat(recorded.length - 1), fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue())
			.map(([n, more, junk]) => {
				const input = { ...recorded[n]?.input, ...more };
				const keys = Object.keys(input);
				return JSON.stringify({ ...input, [keys[n % keys.length] ?? 'x']: junk });
			}),
	);

	it('R3 R7 never throw, print one object or nothing, and leave only events of the catalogue', () => {
		fc.assert(
			fc.property(broken, fc.constantFrom(...profiles), (raw, profile) => {
				const ports = memoryPorts();
				const answer = respond(raw, { requestId: 'r', profile }, ports);
				expect(answer.output === null || typeof answer.output === 'object').toBe(true);
				for (const event of ports.all()) {
					expect(parseEvent(event)).not.toBeNull();
					expect(parseEvent(event)).not.toHaveProperty('unknown');
				}
				if (!isObjectText(raw)) expect(JSON.stringify(answer.output)).not.toContain('"allow"');
			}),
			{ numRuns: 1000 },
		);
	});
});
