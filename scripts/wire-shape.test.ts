import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import { wireShape } from './wire-shape.ts';

const CONTRACT = join(import.meta.dirname, '..', 'lib', 'contract');

/** The shape of each version of the wire. A line that is here stays as it is; a new shape is a new line. */
const shapes: Readonly<Record<number, string>> = {
	5: '2bf3f5f00149',
	6: '4ea25d495c4c',
	7: '575ac87ce06c',
	8: '142b9d69cbba',
	9: '696df8c07cd4',
	10: '6424d450df28',
	11: 'afe201af8c1a',
	12: '3e4796cd015d',
	// Until the words of a grant's reach stood in the contract the digest did not see them: f2963c31e8a2, of the same wire.
	13: 'd588cd6808a3',
	14: '249daca20246',
	15: 'c628e5b21b79',
	16: 'ebbaa31700df',
	17: 'df0e748ca330',
};

test('R1351 a changed shape of what the wire carries is a new version of it', () => {
	const files = readdirSync(CONTRACT, { recursive: true }).map(String).sort();
	const sources = files.filter((file) => /(?<!\.test)\.ts$/.test(file));
	const shape = wireShape(sources.map((file) => readFileSync(join(CONTRACT, file), 'utf8')));
	const advice = `What the wire carries has another shape: an open page of the version before would misread it. Raise WIRE_VERSION (lib/contract/realtime/wire-version.ts) to ${WIRE_VERSION + 1} and add the line "${WIRE_VERSION + 1}: '${shape}'," to the shapes in this test.`;
	expect(shapes[WIRE_VERSION], advice).toBe(shape);
	expect(Math.max(...Object.keys(shapes).map(Number))).toBe(WIRE_VERSION);
});

test('R1351 a shape is what messages reach, not how it is written down', () => {
	const wire = 'export interface ServerToClient { snapshot: (view: View) => void }\ninterface ClientToServer {}\n';
	const view = 'export interface View {\n\tstate: State;\n}\n';
	const state = "export const State = z.enum(['on', 'off']);\nexport type State = z.infer<typeof State>;\n";
	const shape = wireShape([wire, view, state]);
	const unread = 'export interface Unread { id: string }\n';
	expect(wireShape([`/** Words. */\n${wire}`, view.replaceAll(/\s+/g, ' '), `// More.\n${unread}${state}`])).toBe(
		shape,
	);
	for (const [one, other] of [
		['state: State', 'state?: State'],
		['state: State;', 'state: State;\n\tname: string;'],
		['state: State', 'state: Unread'],
	]) {
		expect(wireShape([wire, view.replace(one ?? '', other ?? ''), state, unread])).not.toBe(shape);
	}
	expect(wireShape([wire, view, state.replace("'off'", "'off', 'gone'")])).not.toBe(shape);
});
