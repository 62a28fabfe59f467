import type { LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { RuleList } from '#lib/contract/rules/rules.ts';
import { gateSentence } from '#lib/gates/gate-title.ts';
import { useSay } from '../../language/use-say.ts';
import { Button } from '../../ui/button.tsx';
import { Part } from '../../ui/part.tsx';
import { deniedBy } from '../rule-table.tsx';

/** Settings to try: a whole list of commands, or the switches of gates by path. */
export interface Trial {
	exclude?: readonly string[];
	switches?: Readonly<Record<string, boolean>>;
}

const EXAMPLES = [
	['Nothing is done with git', 'git'],
	['Nothing is fetched from the network', 'curl wget'],
	['Nothing is removed, and nobody becomes root', 'rm sudo'],
] as const;

interface WhatIfProps {
	gates: RuleList['gates'];
	/** The commands that must not run now. */
	current: readonly string[];
	lately: LedgerSummary | null;
	onTry: (trial: Trial) => void;
}

/** Questions to begin with: stricter lists, each command allowed, each rule the other way round. */
export function WhatIf({ gates, current, lately, onTry }: WhatIfProps) {
	const say = useSay();
	const examples = EXAMPLES.filter(([, names]) => names.split(' ').some((name) => !current.includes(name)));
	const counted = gates.map((gate) => ({ ...gate, ...deniedBy(Object.keys(gate.denies), lately) }));
	const wasHeard = (one: { denied: number; overridden: number }) => one.denied + one.overridden;
	return (
		<div className="flex flex-col gap-6">
			<Part title={say('What if more commands were denied?')} isList>
				{examples.map(([words, names]) => (
					<Question
						key={names}
						words={say(words)}
						names={names}
						onTry={() => onTry({ exclude: [...new Set([...current, ...names.split(' ')])] })}
					/>
				))}
			</Part>
			{current.length > 0 && (
				<Part title={say('What if a command were allowed?')} isList>
					{current.map((name) => (
						<Question
							key={name}
							words={say('Allow')}
							names={name}
							onTry={() => onTry({ exclude: current.filter((each) => each !== name) })}
						/>
					))}
				</Part>
			)}
			<Part
				title={say('What if a rule were the other way round?')}
				aside={<span className="text-muted text-small">{say('last 30 days')}</span>}
				isList
			>
				{counted
					.toSorted((one, other) => wasHeard(other) - wasHeard(one))
					.map(({ id, enabled, denied, overridden, switch: path }) => (
						<Question
							key={id}
							words={say.known(gateSentence(id))}
							now={
								enabled === false
									? say('off now')
									: denied + overridden > 0
										? say('{denied} denied, {overridden} approved', { denied, overridden })
										: ''
							}
							action={enabled === false ? say('Try it on') : say('Try it off')}
							onTry={() => onTry({ switches: { [path]: enabled === false } })}
						/>
					))}
			</Part>
		</div>
	);
}

interface QuestionProps {
	words: string;
	names?: string;
	now?: string;
	action?: string;
	onTry: () => void;
}

function Question({ words, names, now, action, onTry }: QuestionProps) {
	const say = useSay();
	const act = action ?? say('Try');
	return (
		<li className="flex min-h-9 items-center gap-x-3 border-line border-b py-1">
			<span className="mr-auto flex min-w-0 flex-wrap items-baseline gap-x-3">
				{words}
				{names && <code className="font-mono text-mono text-muted">{names}</code>}
			</span>
			{now && <span className="text-right text-muted tabular-nums">{now}</span>}
			<Button
				size="small"
				className="min-w-20"
				aria-label={names ? say('Try {patterns}', { patterns: names }) : `${act}: ${words}`}
				onClick={onTry}
			>
				{act}
			</Button>
		</li>
	);
}
