import type { ReactNode } from 'react';
import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import { gateTitle } from '#lib/gates/gate-title.ts';
import { profileWords } from '#lib/gates/profile-words.ts';
import type { Plain } from '#lib/messages/say.ts';
import { useSay } from '../language/use-say.ts';
import { Advice } from '../ui/text/advice.tsx';
import { RuleTable } from './rule-table.tsx';

interface GateSectionProps {
	gate: RuleList['gates'][number];
	policy: RuleList['policy'];
	counts: RuleList['rules'];
	lately: LedgerSummary | null;
}

/** Whether a gate judges, as a sign; null: only where something else holds. */
export function enabledLook(enabled: boolean | null): { glyph: string; tone: string } {
	if (enabled === null) return { glyph: '◐', tone: 'text-run' };
	return enabled ? { glyph: '●', tone: 'text-ok' } : { glyph: '○', tone: 'text-muted' };
}

/** One gate in words. */
export function GateSection({ gate, policy, counts, lately }: GateSectionProps) {
	const say = useSay();
	const { id, where, profile, rests, settings, denies, start, enabled, hold } = gate;
	const rules = Object.entries(denies).map(([rule, words]) => {
		const { denied = 0, overridden = 0 } = counts.find((count) => count.rule === rule) ?? {};
		return { rule, denies: words, denied, overridden };
	});
	return (
		<section aria-labelledby={`gate-${id}`} className="flex flex-col gap-1 border-line border-t pt-3">
			<div className="flex flex-wrap items-baseline gap-x-3">
				<h2 id={`gate-${id}`} className="font-semibold first-letter:uppercase">
					{say.known(gateTitle(id))}
				</h2>
				<span className={enabledLook(enabled).tone}>
					<span aria-hidden>{enabledLook(enabled).glyph} </span>
					{enabled === null ? (
						<Advice>{say('on {start}', { start: say.known(start) })}</Advice>
					) : enabled ? (
						say('on')
					) : (
						say('off')
					)}
				</span>
				<span className="text-muted">{say(hold ? 'its denial may wait for a person' : denials(rules.length))}</span>
			</div>
			<dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
				<Fact name={say('Judges')}>{say.known(where)}</Fact>
				<Fact name={say('If it cannot judge')}>{say(profileWords[profile])}</Fact>
				<Fact name={say('Holds as a')}>
					<Advice>{say.known(rests)}</Advice>
				</Fact>
				{id === 'command-policy' && (
					<Fact name={say('Stops')}>
						{say(
							'slips, and what a line shows of an attack. Against a program that means harm, set `commands.enforce` to "sandbox". `signalbox rules coverage` measures it.',
						)}
					</Fact>
				)}
				<Fact name={say('Settings')}>
					<span className="flex flex-wrap gap-x-3 font-mono text-mono">
						{settings.map((path) => (
							<code key={path}>
								{path}
								{policy && Object.hasOwn(policy.says, path) && <FromHub value={policy.says[path] ?? ''} />}
							</code>
						))}
					</span>
				</Fact>
			</dl>
			{rules.length > 0 && <RuleTable rules={rules} lately={lately} />}
		</section>
	);
}

/** What the hub's policy says of a setting. */
function FromHub({ value }: { value: string }) {
	const say = useSay();
	return <span className="text-run"> {say('{value} from the hub', { value })}</span>;
}

const denials = (rules: number): Plain => (rules === 0 ? 'it denies nothing' : 'its denial stands at once');

function Fact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<dt className="text-muted">{name}</dt>
			<dd className="[overflow-wrap:anywhere]">{children}</dd>
		</>
	);
}
