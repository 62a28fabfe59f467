/*
 * `npm run bench agents`: what an adapter costs of each hook: reading its input and printing a denial, over everything that
 * the real clients of its make were recorded with. By processor time; the makes take turns.
 */
import { adapterOf } from '#hooks-bridge/agents/adapter-of.ts';
import { recordedInputs } from '#hooks-bridge/testing/recorded-agent.ts';
import { agentTable } from '#lib/agents/agent-table.ts';
import { begin, report } from './rig/report.ts';

const ROUNDS = 7;
const RUNS = 20_000;
const denial = { decision: 'deny', reason: 'Not here.' } as const;

/** Microseconds of processor time for one input of a make, as text. */
function costOf(agent: string, texts: readonly string[]): number {
	const adapter = adapterOf(agent);
	const before = process.cpuUsage();
	for (let run = 0; run < RUNS; run++) {
		const read = adapter.read(texts[run % texts.length]);
		if (!read.ok) throw new Error(`${agent}: ${read.reason}`);
		adapter.print(denial, read.hook);
	}
	const { user, system } = process.cpuUsage(before);
	return (user + system) / RUNS;
}

begin('agents');
const makes = agentTable.map(({ name }) => {
	const texts = recordedInputs(name).map(({ input }) => JSON.stringify(input));
	return { name, texts, costs: [] as number[] };
});
for (let n = 0; n < ROUNDS; n++) for (const client of makes) client.costs.push(costOf(client.name, client.texts));
for (const { name, texts, costs } of makes) {
	const [middle = 0] = costs.toSorted((one, other) => one - other).slice(Math.floor(ROUNDS / 2));
	const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
	report(`read and print, ${name}, inputs of ${Math.round(bytes)} bytes`, `${middle.toFixed(1)} µs`);
}
