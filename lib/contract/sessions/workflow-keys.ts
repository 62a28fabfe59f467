/** The keys of the 18 workflows (seed 001), in the seed's order. Loads nothing: hooks read it, too. */
export const workflowKeys = [
	'single',
	'quick',
	'standard',
	'full',
	'secure',
	'tdd',
	'debug',
	'refactor',
	'review-only',
	'security-only',
	'build-fix',
	'e2e-only',
	'diagnose',
	'clean',
	'db-review',
	'product',
	'product-full',
	'discovery',
] as const;
export type WorkflowType = (typeof workflowKeys)[number];
