import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentName, type AgentRow, agentTable } from '#lib/agents/agent-table.ts';
import type { GateRow } from '#lib/gates/gate.ts';
import { gateCoverage, hooksOf } from '#lib/gates/gate-hooks.ts';
import { gateTable } from '#lib/gates/gate-table.ts';

const INTRO = `# Agents

<!-- Generated from lib/agents/agent-table.ts and hooks-bridge/agents; change it there, then run: npx vitest run scripts/agents-doc.test.ts --update -->

Run \`signalbox init --agent NAME\` to register the hooks of a client; repeat it, or name several clients at once. Without \`--agent\` it
registers the clients that the project or you use, else Claude Code. \`signalbox agents\` shows which clients are on this machine, whether
their hooks are registered, and what a hook can do with each. \`signalbox init --remove\` removes all hooks, \`--remove --agent NAME\` those
of one client.

Claude Code's hooks are registered in each project. Those of every other client are in its own folder and apply to all projects. They
answer with exactly one JSON object in the client's own form, or with nothing, and always exit with 0: for some clients another code is
a denial. Only a fail-closed entry may exit with 2, if it could not even print.
`;

const CAN = `Each of these was seen with the real client, unless the table says that only its documents were read.

- *Denies*: a denied call does not run, and the model reads why.
- *Ends the turn*: a denial can end the agent's turn as well.
- *Asks*: a hook can have the person at the terminal asked. Elsewhere a gate that asks denies, and a person can approve in Signalbox.
- *Allows*: a hook can let a call run without the client's own prompt.
- *Changes input*: a person can approve a call with another input.
- *Answers prompts*: the client's own permission prompt can be answered from Signalbox.
- *Waits*: for how many seconds the client was seen to wait for a hook. A call is held no longer than its entry's timeout allows.
- *If the hook fails*: what becomes of the call, see [below](#what-fails-open-and-what-fails-closed).`;

const HOLDS = `Every client that asks a gate obeys its verdict. The table shows what happens to a call if the gate's hook fails: the call runs (*fails open*), or,
once a fail-closed entry is registered, no unjudged call runs (*fails closed*). \`signalbox init\` registers that entry if commands are excluded:
for Claude Code beside the plain entry, for commands; for another client instead of it, for every call and all projects, until
\`init --remove --agent NAME\`. Such an entry checks a proof that its call was judged to the end. If the hook is missing, crashes, hangs or
gives no valid answer, it prints a denial of its own, also without a server. The pages Rules and Health show the same table.`;

const CANNOT = `An entry cannot protect itself: if it is removed from its file, or the client is set to run no hooks, calls run. If the running entry is
killed, its client decides:`;

const COVERAGE = { opens: 'fails open', holds: 'fails closed', 'not-asked': 'not asked' } as const;
const FAILS = { runs: 'runs', 'as-entry-says': 'as its entry says' } as const;
const yes = (is: boolean): string => (is ? 'yes' : 'no');

function capabilityTable(rows: readonly AgentRow[]): string {
	const lines = rows.map(({ name, title, seen, can }) => {
		const tried = 'run' in seen ? seen.run : `not run against the client: ${seen.read}`;
		const cells = [can.deny, can.stop, can.ask, can.allow, can.edit, can.prompts].map(yes);
		const subAgents = { events: 'yes', call: 'as a call', none: 'has none' }[can.subAgents];
		return `| ${[title, `\`${name}\``, tried, ...cells, can.holdSeconds, FAILS[can.onFailure], subAgents].join(' | ')} |`;
	});
	return [
		'| Agent | Name | Seen with | Denies | Ends the turn | Asks | Allows | Changes input | Answers prompts | Waits (s) | If the hook fails, the call | Sub-agents shown |',
		'|---|---|---|---|---|---|---|---|---|---|---|---|',
		...lines,
	].join('\n');
}

/** Where each gate is asked with each make; a gate without a place is not asked there. */
function gateTableOf(rows: readonly AgentRow[], gates: readonly GateRow[]): string {
	const lines = gates.map((gate) => {
		const cells = rows.map((row) => {
			const { events, tools } = hooksOf(gate, row);
			const isCovered = gateCoverage(gate, row) !== 'not-asked';
			return isCovered ? [events.join(', '), tools.join(', ')].filter(Boolean).join(': ') : 'not asked';
		});
		return `| \`${gate.id}\` | ${cells.join(' | ')} |`;
	});
	return [...headOf(rows), ...lines].join('\n');
}

/** What becomes of a call there where the gate's hook fails. */
function standingTable(rows: readonly AgentRow[], gates: readonly GateRow[]): string {
	const lines = gates.map((gate) => {
		const cells = rows.map((row) => COVERAGE[gateCoverage(gate, row)]);
		return `| \`${gate.id}\` | ${cells.join(' | ')} |`;
	});
	return [...headOf(rows), ...lines].join('\n');
}

/** What becomes of a call whose fail-closed entry is killed. */
function killTable(rows: readonly AgentRow[]): string {
	const cells = rows.map(({ can }) => (can.onFailure === 'runs' ? 'has none' : can.onKill));
	const [head = '', line = ''] = headOf(rows);
	return [head.replace('| Gate |', '| |'), line, `| a call whose entry is killed | ${cells.join(' | ')} |`].join('\n');
}

const headOf = (rows: readonly AgentRow[]) => [
	`| Gate | ${rows.map(({ title }) => title).join(' | ')} |`,
	`|---|${rows.map(() => '---|').join('')}`,
];

function limitList(rows: readonly AgentRow[]): string {
	const listed = rows.map(({ name, title }) => {
		const { hooks, folder, limits, after } = setupOf(name as AgentName);
		const moved = folder.variable === undefined ? '' : ` (or \`${folder.variable}\`)`;
		const location = hooks
			? `Its hooks are in \`~/${folder.at}/${hooks.file}\`${moved}.`
			: 'Its hooks are in each project.';
		return `### ${title}\n\n${[location, after].filter(Boolean).join(' ')}\n\n${limits.map((limit) => `- ${limit}`).join('\n')}`;
	});
	return listed.join('\n\n');
}

/** The whole of `docs/guide/agents.md`, from the tables alone. */
export function renderAgentsDoc(rows: readonly AgentRow[] = agentTable, gates: readonly GateRow[] = gateTable): string {
	return [
		INTRO,
		`## What a hook can do\n\n${capabilityTable(rows)}\n\n${CAN}\n`,
		`## Where the gates are asked\n\n${gateTableOf(rows, gates)}\n`,
		`## What fails open, and what fails closed\n\n${HOLDS}\n\n${standingTable(rows, gates)}\n\n${CANNOT}\n\n${killTable(rows)}\n`,
		`## What to know\n\n${limitList(rows)}\n`,
	].join('\n');
}
