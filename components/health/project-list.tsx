'use client';
import type { ProjectHealth } from '#lib/contract/health/status.ts';
import { Phrase } from '../language/phrase.tsx';
import { useSay } from '../language/use-say.ts';
import { Advice } from '../ui/text/advice.tsx';
import { AgentText } from '../ui/text/agent-text.tsx';

const looks = {
	wrong: { tone: 'text-err', glyph: '✕', word: 'wrong' },
	warn: { tone: 'text-warn', glyph: '▲', word: 'warning' },
	note: { tone: 'text-muted', glyph: '·', word: 'note' },
} as const;

/** What the doctor finds in each project, with what to do. */
export function ProjectList({ projects }: { projects: readonly ProjectHealth[] }) {
	const say = useSay();
	if (projects.length === 0) {
		return (
			<p className="text-muted">
				<Advice>
					{say('None registered or recorded on this machine yet. Run `signalbox init --project DIR` for a project.')}
				</Advice>
			</p>
		);
	}
	return (
		<ul className="flex flex-col gap-2">
			{projects.map(({ project, checks, findings }) => (
				<li key={project}>
					<div className="flex flex-wrap gap-x-3">
						<AgentText className="font-mono text-mono [overflow-wrap:anywhere]">{project}</AgentText>
						{findings.length === 0 && (
							<span className="text-ok">
								<span aria-hidden>✓ </span>
								{say('all {checks} checks are well', { checks })}
							</span>
						)}
					</div>
					<ul>
						{findings.map(({ state, name, detail, fix }) => (
							<li key={`${name} ${detail}`} className="pl-4 [overflow-wrap:anywhere]">
								<span className={looks[state].tone}>
									<span aria-hidden>{looks[state].glyph} </span>
									{say(looks[state].word)}
								</span>{' '}
								{say.told(name, 'check')}: <AgentText>{say.told(detail)}</AgentText>
								{fix !== undefined && (
									<span className="block text-muted">
										<Phrase of="What to do: {advice}" with={{ advice: <Advice>{fix}</Advice> }} />
									</span>
								)}
							</li>
						))}
					</ul>
				</li>
			))}
		</ul>
	);
}
