'use client';
import { useRef, useState } from 'react';
import { countUnseen, cutText, prettyValue } from '#lib/text/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from './agent-text.tsx';
import { fieldsOf } from './payload-fields.ts';

/** Text beyond this (UTF-16 units) is shown on request only; a megabyte of chips would freeze the page. */
const SHOWN_AT_FIRST = 2_000;

interface PayloadProps {
	value: unknown;
	/** Told once the whole has been on screen, at once for short ones. */
	onWhole?: () => void;
}

/** Whether a value is too long to be on screen as a whole at first. */
export function isCutOff(value: unknown): boolean {
	return fieldsOf(value).reduce((sum, { text }) => sum + text.length, 0) > SHOWN_AT_FIRST;
}

/** An input or output as plain text, field by field, with unseen characters as chips and counted. */
export function Payload({ value, onWhole }: PayloadProps) {
	const box = useRef<HTMLDivElement>(null);
	const [whole, setWhole] = useState(false);
	const fields = fieldsOf(value);
	const unseen = countUnseen(prettyValue(value));
	let budget = whole ? Number.POSITIVE_INFINITY : SHOWN_AT_FIRST;
	let left = 0;
	const shown = fields.map(({ name, text }) => {
		const cut = cutText(text, Math.min(budget, text.length));
		budget -= cut.text.length;
		left += cut.left;
		return { name, text: cut.text };
	});
	return (
		<div
			ref={box}
			tabIndex={whole ? 0 : -1}
			className="max-h-[32rem] overflow-auto rounded border border-line bg-raised p-2"
		>
			{unseen > 0 && (
				<p className="mb-1 text-small text-warn">
					<span aria-hidden>▲ </span>
					{unseen} {unseen === 1 ? 'character' : 'characters'} that would not be seen
				</p>
			)}
			{shown.map(({ name, text }) => (
				<div key={name}>
					{name !== '' && <AgentText className="text-muted text-small">{name}</AgentText>}
					<AgentText block>{text}</AgentText>
				</div>
			))}
			{left > 0 && (
				<Button
					size="small"
					className="mt-2"
					onClick={() => {
						setWhole(true);
						// The button goes away; the keys of the card around it must go on working.
						box.current?.focus();
						onWhole?.();
					}}
				>
					Show the other {left.toLocaleString('en')} characters
				</Button>
			)}
		</div>
	);
}
