import { useEffect, useRef } from 'react';
import { visibleString } from '#lib/text/visible-text.ts';
import { useSay } from '../language/use-say.ts';
import { Button } from './button.tsx';
import { cn } from './cn.ts';
import { Select } from './select.tsx';
import { AgentText } from './text/agent-text.tsx';

export interface Filter {
	label: string;
	value: string | null;
	/** The options. Labels may be agent text. */
	choices: readonly { value: string; label: string }[];
	/** Label of a selected value that is no longer an option. */
	titleOf?: (value: string) => string;
	onChoose: (value: string | null) => void;
}

/** Distinct names as sorted options; empty if there are fewer than two. */
export function namesToChoose(all: readonly (string | null | undefined)[]): Filter['choices'] {
	const names = [...new Set(all.filter((name) => typeof name === 'string'))].sort();
	return names.length > 1 ? names.map((name) => ({ value: name, label: name })) : [];
}

/** A button that opens all filters of a list. Active filters are shown beside it as chips that remove them. */
export function FilterControl({ filters, isAtEnd = false }: { filters: readonly Filter[]; isAtEnd?: boolean }) {
	const say = useSay();
	const panel = useClosedOutside();
	/** The panel covers the list that it filters. */
	function close() {
		if (!panel.current) return;
		panel.current.open = false;
		panel.current.querySelector('summary')?.focus();
	}
	const open = filters.filter(({ value, choices }) => value === null && choices.length > 0);
	return (
		<>
			{open.length > 0 && (
				<details
					ref={panel}
					className="relative"
					onKeyDown={(event) => {
						if (event.key !== 'Escape' || !panel.current?.open) return;
						event.stopPropagation();
						close();
					}}
				>
					<summary className="h-6 rounded border border-edge px-2.5 before:hidden hover:bg-hover pointer-coarse:h-10">
						<svg aria-hidden="true" viewBox="0 0 24 24" className="size-3.5 fill-none stroke-2 stroke-current">
							<path d="M3 4h18l-7 8.5V20l-4-2v-5.5z" />
						</svg>
						{say('Filter')}
					</summary>
					<div
						className={cn(
							'absolute left-0 z-30 mt-1 flex w-64 max-w-[calc(100vw-2rem)] flex-col gap-1 rounded border border-line bg-raised p-2 shadow-lg',
							isAtEnd && 'md:right-0 md:left-auto',
						)}
					>
						{open.map(({ label, choices, onChoose }) => (
							<div key={label} className="flex items-center justify-between gap-2">
								<span aria-hidden className="text-muted">
									{label}
								</span>
								<Select
									label={say('Filter by {label}', { label })}
									value=""
									choices={[{ value: '', label: say('any {name}', { name: label }) }, ...choices]}
									onChoose={(chosen) => {
										onChoose(chosen || null);
										close();
									}}
								/>
							</div>
						))}
					</div>
				</details>
			)}
			{filters.map(({ label, value, choices, titleOf, onChoose }) => {
				if (value === null) return null;
				const name = titleOf?.(value) ?? choices.find((choice) => choice.value === value)?.label ?? value;
				return (
					<Button
						key={label}
						size="small"
						className="max-w-80 rounded-full bg-selected"
						title={visibleString(name)}
						onClick={() => onChoose(null)}
					>
						<span className="min-w-0 truncate text-muted">{label}</span>{' '}
						<AgentText className="min-w-8 truncate">{name}</AgentText>
						<span aria-hidden>✕</span>
						<span className="sr-only">{say(': show all')}</span>
					</Button>
				);
			})}
		</>
	);
}

/** Closes an open panel on a press outside, because it covers the list. */
function useClosedOutside() {
	const panel = useRef<HTMLDetailsElement>(null);
	useEffect(() => {
		const close = ({ target }: PointerEvent) => {
			if (panel.current && target instanceof Node && !panel.current.contains(target)) panel.current.open = false;
		};
		document.addEventListener('pointerdown', close);
		return () => document.removeEventListener('pointerdown', close);
	}, []);
	return panel;
}
