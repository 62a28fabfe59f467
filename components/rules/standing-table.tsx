'use client';
import type { GateCoverage, RuleList } from '#lib/contract/rules/rules.ts';
import { gateTitle } from '#lib/gates/gate-title.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';

const looks: Record<GateCoverage, { glyph: string; words: Plain; tone: string }> = {
	holds: { glyph: '●', words: 'holds', tone: 'text-ok' },
	opens: { glyph: '◐', words: 'opens', tone: 'text-warn' },
	'not-asked': { glyph: '○', words: 'not asked', tone: 'text-muted' },
};

/** How each gate stands with each make of agent. */
export function StandingTable({ ruleList: { gates, makes } }: { ruleList: RuleList }) {
	const say = useSay();
	return (
		<>
			<p className="text-muted">
				{say(
					'What a gate says holds with every make of agent that asks it. Where its hook fails, the call runs (opens), or nothing runs that it has not judged (holds; with Claude Code, once its fail-closed entry is registered).',
				)}
			</p>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: on narrow screens the table scrolls and must be reachable by keyboard. */}
			<div tabIndex={0} className="scroll-hint overflow-x-auto">
				<table aria-label={say('Gates by make of agent')} className="w-full whitespace-nowrap text-left">
					<thead>
						<tr className="border-line border-b text-muted text-small">
							<th scope="col" className="py-1 pr-3 font-normal">
								{say('Gate')}
							</th>
							{makes.map(({ name, title, isTried }) => (
								<th key={name} scope="col" className="py-1 pr-3 font-normal">
									{title}
									{!isTried && <span className="block">{say('not run against the client')}</span>}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{gates.map(({ id, standing }) => (
							<tr key={id} className="border-line border-b">
								<th scope="row" className="py-1 pr-3 font-normal first-letter:uppercase">
									{say.known(gateTitle(id))}
								</th>
								{makes.map(({ name }) => {
									const { glyph, words, tone } = looks[standing[name] ?? 'not-asked'];
									return (
										<td key={name} className={`py-1 pr-3 ${tone}`}>
											<span aria-hidden>{glyph} </span>
											{say(words)}
										</td>
									);
								})}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</>
	);
}
