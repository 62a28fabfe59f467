import type { GateCoverage, RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { useSay } from '../language/use-say.ts';

/** How clients differ in what they ask, and in what becomes of a call where the hook itself fails. */
export function ClientDifferences({ ruleList: { gates, makes } }: { ruleList: RuleList }) {
	const say = useSay();
	const clientsOf = (gate: RuleList['gates'][number], coverage: GateCoverage) =>
		makes.filter(({ name }) => (gate.standing[name] ?? 'not-asked') === coverage).map(({ title }) => title);
	const partly = gates.flatMap((gate) => {
		const missing = clientsOf(gate, 'not-asked');
		if (missing.length === 0) return [];
		const asking = makes.filter(({ title }) => !missing.includes(title)).map(({ title }) => title);
		const words =
			asking.length < missing.length
				? say('only {clients}', { clients: asking.join(', ') })
				: say('not {clients}', { clients: missing.join(', ') });
		return [{ id: gate.id, words }];
	});
	const closed = gates.flatMap((gate) => {
		const clients = clientsOf(gate, 'holds');
		return clients.length === 0 ? [] : [{ id: gate.id, words: clients.join(', ') }];
	});
	const untried = makes.filter(({ isTried }) => !isTried).map(({ title }) => title);
	return (
		<section aria-labelledby="clients" className="flex flex-col gap-2 border-line border-t pt-3">
			<h2 id="clients" className="font-semibold">
				{say('Clients')}
			</h2>
			<p>{say(partly.length === 0 ? 'Every client asks every rule.' : 'Every client asks every rule, but:')}</p>
			<Lines lines={partly} />
			<p>
				{say(
					'Where the hook itself fails, the call runs (fails open); where a client is named here, nothing runs that was not judged (fails closed; with Claude Code, once its fail-closed entry is registered):',
				)}
			</p>
			<Lines lines={closed} />
			{untried.length > 0 && (
				<p className="text-muted">
					{say('Not run against the real client: {clients}', { clients: untried.join(', ') })}
				</p>
			)}
		</section>
	);
}

function Lines({ lines }: { lines: readonly { id: string; words: string }[] }) {
	const say = useSay();
	return (
		<ul className="pl-4">
			{lines.map(({ id, words }) => (
				<li key={id}>
					{say.known(gateSentence(id))}: <span className="text-muted">{words}</span>
				</li>
			))}
		</ul>
	);
}
