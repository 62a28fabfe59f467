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

Three sentences carry the design. Events are canonical: what happened is in a timeline before anybody learns of it. The screen is a
fold of those events: the same events give the same page. Effects live at the edges: the rules in \`lib\` touch no file, network or clock.

## The way of a hook

An agent's client runs our hook before a tool call. The hook asks the server, and the server judges:

\`\`\`
client            hooks-bridge/hook      server/door           hooks-bridge/engine      timeline.jsonl
(Claude Code)     hook.sh                (thread of its own)   lib/gates
   |  input          |                      |                     |                        |
   |---------------->|  request (socket)    |                     |                        |
   |                 |--------------------->|  facts              |                        |
   |                 |                      |-------------------->|  judge: answer,        |
   |                 |                      |                     |  events, effects       |
   |                 |                      |   append, THEN effects and answer            |
   |                 |                      |--------------------------------------------->|
   |   allow, deny   |       answer         |                     |                        |
   |<----------------|<---------------------|                     |             tail reads |
                                                                                           v
                              browser: lib/session folds <-- push -- server/timeline: fold, store, publish
\`\`\`

1. \`hook.sh\` sends the client's input to the unix socket (the *door*). An adapter in \`hooks-bridge/agents\` turns it into a
   client-neutral hook.
2. The engine reads facts (settings, plan, workflow) and asks the gates. It returns a *ruling*: the answer, events, and effects as data.
3. The events are appended to the session's timeline first. Only then are effects performed and the answer given.
4. If no server answers, \`hook.sh\` runs \`node hook.cjs\`: the same engine on the same input, without waiting for a person.
5. \`server/timeline\` reads the new lines, folds them into views and publishes them. Browsers fold the same events.
6. If a denial may wait, the door opens a *ticket*. \`server/approvals\` asks people; their decision is written to the journal, then
   the hook gets its answer. [The way of a held call](held-call.md) has its files and functions, in order.

## The way of a decision from a hub

A hub shows the sessions of many machines. It can ask a machine to decide a call; only the machine answers the agent:

\`\`\`
browser           server/hub              server/edge              server/approvals        hook
at the hub        decisions, connections  on the machine
   |                 |                       |                        |                      |  waits on
   |                 |   lines of timeline   |                        |                      |  its ticket
   |   the card      |<----------------------|                        |                      |
   |<----------------|                       |                        |                      |
   |  approve (H2: signed by a passkey)      |                        |                      |
   |---------------->|  command, signed      |                        |                      |
   |                 |---------------------->|  check signature,      |                      |
   |                 |                       |  level, call, roster   |                      |
   |                 |                       |----------------------->|  journal row, gates  |
   |                 |                       |                        |  judge once more     |
   |                 |                       |                        |--------------------->|  allow
   |    result       |        result         |                        |                      |
   |<----------------|<----------------------|                        |                      |
\`\`\`

1. \`server/edge\` sends lines of shared sessions to the hub, which stores and folds them as a single machine does.
2. A decision at the hub is a row of the hub's journal, and a *command* to the machine: signed by the hub and bound to one waiting call.
3. The machine checks the command against its owner's level. At level \`passkey\` it computes from its own call what the person's passkey
   must have signed, and looks the passkey up in the roster.
4. From there on it is a decision as at the machine's own page: first answer wins, the journal records it, the gates judge once more.

## Read on

[How it works](guide/how-it-works.md) says what happens when a part stops; [decisions](decisions/) say why it is built this way; the
[glossary](glossary.md) has the words; [CONTRIBUTING](../CONTRIBUTING.md) says how to change it.

## The map

\`app\` holds Next's routes and imports \`components\` and \`lib\`; \`e2e\` holds the browser tests. In each other tree a folder (a
*room*) imports only rooms listed **below** it here; \`scripts/upward-imports.test.ts\` checks that. This page is generated from
\`scripts/floor-table.ts\`: \`npx vitest run scripts/architecture-doc.test.ts --update\`.

${trees.map(([tree, what]) => renderTree(tree, what)).join('\n')}`;
}

function renderTree(tree: Tree, what: string): string {
	const rooms: readonly Room[] = floorTable[tree];
	const rows = rooms.toReversed().map(([name, holds]) => `| \`${name}\` | ${holds} |`);
	return `### ${tree}\n\n${what}\n\n| Room | What it holds |\n|---|---|\n${rows.join('\n')}\n`;
}
