'use client';
import { useState } from 'react';
import { countUnseen, cutText, prettyValue } from '#lib/text/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { AgentText } from './agent-text.tsx';

/** Text beyond this (UTF-16 units) is shown on request only; a megabyte of chips would freeze the page. */
const SHOWN_AT_FIRST = 2_000;

interface PayloadProps {
	value: unknown;
	/** Told once the whole has been on screen, at once for short ones. */
	onWhole?: () => void;
}

/** Whether a value is too long to be on screen as a whole at first. */
export function isCutOff(value: unknown): boolean {
	return prettyValue(value).length > SHOWN_AT_FIRST;
}

/** An input or output as plain text with its lines; JSON indented, unseen characters as chips and counted. */
export function Payload({ value, onWhole }: PayloadProps) {
	const [whole, setWhole] = useState(false);
	const text = prettyValue(value);
	const { text: shown, left } = cutText(text, whole ? text.length : SHOWN_AT_FIRST);
	const unseen = countUnseen(shown);
	return (
		<div className="rounded border border-line bg-raised p-2">
			{unseen > 0 && (
				<p className="mb-1 text-small text-warn">
					<span aria-hidden>▲ </span>
					{unseen} {unseen === 1 ? 'character' : 'characters'} that would not be seen
				</p>
			)}
			<AgentText block>{shown}</AgentText>
			{left > 0 && (
				<Button
					size="small"
					className="mt-2"
					onClick={() => {
						setWhole(true);
						onWhole?.();
					}}
				>
					Show the other {left.toLocaleString('en')} characters
				</Button>
			)}
		</div>
	);
}
