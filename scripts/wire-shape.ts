import { createHash } from 'node:crypto';

/** What the wire carries in both directions. */
const ROOTS = ['ServerToClient', 'ClientToServer'];
/** A reader keeps and shows what it does not know of these: a new event is no other wire. */
const OPEN_ENDED: ReadonlySet<string> = new Set(['TimelineEvent', 'EventType']);

/** A word before a colon names a field: `errors: number` is not the table of errors. */
const NAMED = /\b[A-Za-z]\w*\b(?!\??:)/g;
const DECLARATION = /^(?:export )?(?:interface|type|const|function) (\w+)/m;

/**
 * A digest of the declarations that the wire's messages are made of, by name wherever they stand in `sources` (texts of
 * TypeScript). Comments, layout and everything that no message reaches count for nothing.
 */
export function wireShape(sources: readonly string[]): string {
	const known = new Map<string, string>();
	for (const source of sources) {
		for (const text of declarationsOf(source)) {
			const name = DECLARATION.exec(text)?.[1] ?? '';
			known.set(name, `${known.get(name) ?? ''}${text}\n`);
		}
	}
	const reached = new Set(ROOTS);
	for (const name of reached) {
		for (const [word] of (known.get(name) ?? '').matchAll(NAMED)) {
			if (known.has(word) && !OPEN_ENDED.has(word)) reached.add(word);
		}
	}
	const shape = [...reached].sort().map((name) =>
		known
			.get(name)
			?.split(/(?<=\n)/)
			.sort()
			.join(''),
	);
	return createHash('sha256').update(shape.join('')).digest('hex').slice(0, 12);
}

/** The declarations of a source, each in one line. */
function declarationsOf(source: string): string[] {
	const bare = source.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
	return bare
		.split(/^(?=(?:export|import|interface|type|const|function)\b)/m)
		.filter((text) => DECLARATION.test(text))
		.map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
