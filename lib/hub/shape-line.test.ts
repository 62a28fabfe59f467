import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEvent } from '../contract/events/event.ts';
import { shapeLines } from './shape-line.ts';

const SECRET = 'sekrit';
const asBytes = (text: string) => new TextEncoder().encode(text);
const asText = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test('R1742 of a line that is shared by its shape the verdict stays, and no word, input or output of anybody', () => {
	const event = {
		...{
			id: 'e1',
			ts: '2026-01-01T00:00:00Z',
			type: 'gate:verdict',
			category: 'gate',
			label: 'Denied',
			sessionId: 's1',
		},
		...{ gate: 'commands', decision: 'deny', rule: 'commands.excluded', reason: SECRET, facts: { command: SECRET } },
		...{ toolUseId: 'c1', form: 'deny', [`${SECRET} `]: 1 },
		...{
			input: { command: SECRET },
			prompt: SECRET,
			output: { text: SECRET },
			cwd: `/${SECRET}`,
			transcript: SECRET,
			newer: SECRET,
		},
	};
	const shaped = asText(shapeLines(asBytes(`${JSON.stringify(event)}\n`)));
	expect(shaped).not.toContain(SECRET);
	const { reason, facts } = JSON.parse(shaped);
	expect([reason, facts]).toEqual(['', {}]);
	expect(parseEvent(JSON.parse(shaped))).toMatchObject({
		...{ type: 'gate:verdict', gate: 'commands', decision: 'deny', rule: 'commands.excluded' },
	});
	expect(parseEvent(JSON.parse(shaped))).not.toHaveProperty('unknown');
});

test('R1742 whatever the lines hold, each keeps its place and length, and what is no event keeps nothing else', () => {
	const field = fc.oneof(
		fc.constant(SECRET),
		fc.constant({ inner: SECRET }),
		fc.constant([{ deep: SECRET }]),
		fc.double(),
	);
	const object = fc.dictionary(fc.constantFrom('id', 'tool', 'rule', 'input', 'prompt', 'by', 'x'), field);
	const line = fc.oneof(
		object.map((value) => JSON.stringify(value)),
		fc.constantFrom(
			'',
			'  ',
			`"${SECRET}"`,
			`[1,"${SECRET}"]`,
			`{"input":"${SECRET}"`,
			SECRET,
			'null',
			'{}',
			'{"cost":1e9}',
		),
	);
	fc.assert(
		fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
			const bytes = asBytes(lines.map((text) => `${text}\n`).join(''));
			const shaped = asText(shapeLines(bytes)).split('\n');
			expect(shaped.map((text) => text.length)).toEqual([...lines.map((text) => asBytes(text).length), 0]);
			for (const text of shaped) {
				if (!text.includes(SECRET)) continue;
				// A short word in a field that is shared may be anything.
				const kept = Object.entries(JSON.parse(text) as object).filter(([, value]) =>
					JSON.stringify(value).includes(SECRET),
				);
				for (const [name, value] of kept)
					expect([['id', 'tool', 'rule', 'by'].includes(name), value]).toEqual([true, SECRET]);
			}
		}),
	);
});
