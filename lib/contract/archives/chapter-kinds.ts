/** What makes a moment worth a jump. */
export const chapterKinds = [
	'denial',
	'sent-on',
	'mismatch',
	'override',
	'decision',
	'failure',
	'stage',
	'prompt',
] as const;
