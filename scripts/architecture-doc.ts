import { floorTable, type Room, type Tree } from './floor-table.ts';

const trees: readonly (readonly [tree: Tree, what: string])[] = [
	['components', 'React: what people see. Imports `lib`.'],
	['server', 'The running program and the command line. Imports `hooks-bridge` and `lib`.'],
	['server/hub', 'The room `hub` of the server, from within.'],
	['hooks-bridge', 'What runs beside an agent, with the server or without. Imports `lib`.'],
	['lib', 'Rules without effects: no files, network, clock or React. Imports nothing else.'],
	['lib/contract', 'The room `contract` of `lib`, from within.'],
];

/** The text of `docs/architecture.md`: the way of an event, and the rooms of each tree with the highest floor first. */
export function renderArchitectureDoc(): string {
	return `# Architecture

Events are canonical, the screen is a fold of them, and effects live at the edges.

\`\`\`
agent's client                                                                 browser
  | a hook's input                                                               ^ | approve, deny
  v                                                                              | v
hooks-bridge/hook --> server/door --> hooks-bridge/engine: gates judge        server/pages
                                        | events, appended before the answer     ^ | journal, ticket
                                        v                                        | v
                                      timeline.jsonl --> server/timeline: fold --+ server/approvals
\`\`\`

A hub is the same with many machines: \`server/edge\` sends lines to \`server/hub\`, and a decision made there travels back
to the machine, which alone gives it to the agent. [How it works](guide/how-it-works.md) tells what happens when a part of
this stops; [0001 and the others](decisions/) say why it is so; the [glossary](glossary.md) has the words.

## The map

\`app\` holds Next's routes and imports \`components\` and \`lib\`; \`e2e\` holds the browser tests. In the other trees a
room imports only rooms that stand **below** it here. A test holds this (\`scripts/upward-imports.test.ts\`), and this page is
made from its table (\`scripts/floor-table.ts\`): \`npx vitest run scripts/architecture-doc.test.ts --update\`.

${trees.map(([tree, what]) => renderTree(tree, what)).join('\n')}`;
}

function renderTree(tree: Tree, what: string): string {
	const rooms: readonly Room[] = floorTable[tree];
	const rows = rooms.toReversed().map(([name, holds]) => `| \`${name}\` | ${holds} |`);
	return `### ${tree}\n\n${what}\n\n| Room | What it holds |\n|---|---|\n${rows.join('\n')}\n`;
}
