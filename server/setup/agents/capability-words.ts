import type { AgentCapabilities } from '#lib/agents/agent-table.ts';

const FAILURE: Readonly<Record<AgentCapabilities['onFailure'], string>> = {
	runs: 'a call whose hook fails runs',
	'as-entry-says': 'a call whose hook fails runs, but not where its entry is fail-closed',
};

/** What hooks can do with a client, a few words for each capability. */
export function capabilityWords(can: AgentCapabilities): string[] {
	const { deny, stop, ask, allow, edit, prompts } = can;
	const abilities = [
		[deny, 'deny a call'],
		[stop, 'end the agent’s turn'],
		[ask, 'have the person at the terminal asked'],
		[allow, 'let a call run without a prompt'],
		[edit, 'change a call’s input'],
		[prompts, 'answer the client’s own prompt'],
	] as const;
	const listNames = (is: boolean) =>
		abilities
			.filter(([able]) => able === is)
			.map(([, words]) => words)
			.join(', ');
	return [
		`can: ${listNames(true)}`,
		...(listNames(false) === '' ? [] : [`cannot: ${listNames(false)}`]),
		`its client was seen to wait ${can.holdSeconds} seconds for a hook`,
		FAILURE[can.onFailure],
	];
}
