import type { RuleList } from '../contract/rules/rules.ts';
import type { Say } from '../messages/say.ts';

/** The clients that do not ask a gate, or those that do, if they are fewer; null if every client asks it. */
export function coverageWords(
	{ standing }: Pick<RuleList['gates'][number], 'standing'>,
	clients: RuleList['makes'],
	say: Say,
): string | null {
	const titlesOf = (isAsking: boolean) =>
		clients
			.filter(({ name }) => ((standing[name] ?? 'not-asked') !== 'not-asked') === isAsking)
			.map(({ title }) => title);
	const [asking, missing] = [titlesOf(true), titlesOf(false)];
	if (missing.length === 0) return null;
	return asking.length < missing.length
		? say('only with {clients}', { clients: asking.join(', ') })
		: say('not with {clients}', { clients: missing.join(', ') });
}
