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
