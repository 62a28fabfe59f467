'use client';
import { useCallback } from 'react';
import type { ComparedRun } from '#lib/contract/archives/compare.ts';
import type { FeatureRecord } from '#lib/contract/archives/features.ts';
import { useSay } from '../language/use-say.ts';
import { callRoute } from '../live/call-route.ts';
import { useAnswer } from '../live/use-answer.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { type RunChoice, runChoices } from './run-choices.ts';

const MOST_SESSIONS = 100;
const askSessions = () => callRoute('GET /api/sessions', { query: { limit: MOST_SESSIONS } });

interface RunChooserProps {
	features: readonly FeatureRecord[];
	/** The two as they were found. */
	chosen: { a: ComparedRun; b: ComparedRun } | null;
	/** As the address names them. */
	names: { a: string | null; b: string | null };
	onChoose: (change: { a?: string; b?: string }) => void;
}

/** The two runs; those of the same feature are offered first. */
export function RunChooser({ features, chosen, names, onChoose }: RunChooserProps) {
	const say = useSay();
	const { data } = useAnswer(useCallback(askSessions, []));
	const sessions = data?.sessions ?? [];
	const [a, b] = [chosen?.a.id ?? names.a, chosen?.b.id ?? names.b];
	const other = (side: 'a' | 'b') => {
		const id = side === 'a' ? b : a;
		return id === null ? null : { id, feature: chosen?.[side === 'a' ? 'b' : 'a'].feature };
	};
	const choices = (side: 'a' | 'b', own: string | null): RunChoice[] => {
		const all = runChoices(features, sessions, other(side));
		const isListed = own === null || all.some(({ value }) => value === own);
		return [{ value: '', label: say('choose a run') }, ...(isListed ? all : [{ value: own, label: own }, ...all])];
	};
	return (
		<div className="flex flex-wrap items-center gap-2">
			<Side label={say('First run')} value={a} choices={choices('a', a)} onChoose={(next) => onChoose({ a: next })} />
			<Button
				size="small"
				disabled={a === null || b === null}
				onClick={() => a !== null && b !== null && onChoose({ a: b, b: a })}
			>
				<span aria-hidden>⇄</span> {say('Swap')}
			</Button>
			<Side label={say('Second run')} value={b} choices={choices('b', b)} onChoose={(next) => onChoose({ b: next })} />
		</div>
	);
}

interface SideProps {
	label: string;
	value: string | null;
	choices: readonly RunChoice[];
	onChoose: (value: string) => void;
}

function Side({ label, value, choices, onChoose }: SideProps) {
	return (
		<span className="flex min-w-0 items-center gap-1 max-sm:w-full">
			<span aria-hidden className="w-20 shrink-0 text-muted">
				{label}
			</span>
			<Select
				label={label}
				value={value ?? ''}
				choices={choices}
				onChoose={(next) => next !== '' && onChoose(next)}
				className="h-7 min-w-0 max-w-80 flex-1 border-edge"
			/>
		</span>
	);
}
