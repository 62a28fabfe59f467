import type { Plain } from '#lib/messages/say.ts';

/** One shortcut: any of its `keys` (KeyboardEvent.key in lower case, two of a sequence with a blank, `mod+k` with Ctrl or Cmd), `show` as a person reads them. */
export interface Shortcut {
	keys: readonly string[];
	show: readonly string[];
	label: Plain;
	where: 'Everywhere' | 'Lists' | 'Session' | 'Approvals' | 'Archive';
}

/** Every shortcut once; the sheet, the hints and `aria-keyshortcuts` read it. */
export const shortcuts = {
	help: { keys: ['?'], show: ['?'], label: 'Show shortcuts', where: 'Everywhere' },
	find: { keys: ['mod+k', '/'], show: ['Ctrl K', '/'], label: 'Find anything', where: 'Everywhere' },
	goSessions: { keys: ['g s'], show: ['g', 's'], label: 'Go to sessions', where: 'Everywhere' },
	goApprovals: { keys: ['g a'], show: ['g', 'a'], label: 'Go to approvals', where: 'Everywhere' },
	goFeatures: { keys: ['g f'], show: ['g', 'f'], label: 'Go to features', where: 'Everywhere' },
	goRules: { keys: ['g r'], show: ['g', 'r'], label: 'Go to rules', where: 'Everywhere' },
	goDecisions: { keys: ['g d'], show: ['g', 'd'], label: 'Go to decisions', where: 'Everywhere' },
	goHealth: { keys: ['g h'], show: ['g', 'h'], label: 'Go to health', where: 'Everywhere' },
	next: { keys: ['j', 'arrowdown'], show: ['j', '↓'], label: 'Next row', where: 'Lists' },
	previous: { keys: ['k', 'arrowup'], show: ['k', '↑'], label: 'Previous row', where: 'Lists' },
	open: { keys: ['enter'], show: ['Enter'], label: 'Open the row', where: 'Lists' },
	close: { keys: ['escape'], show: ['Esc'], label: 'Close the detail', where: 'Session' },
	follow: { keys: ['end'], show: ['End'], label: 'Follow the newest row', where: 'Session' },
	approve: { keys: ['a'], show: ['A'], label: 'Approve once', where: 'Approvals' },
	deny: { keys: ['d'], show: ['D'], label: 'Deny', where: 'Approvals' },
	remember: { keys: ['g'], show: ['G'], label: 'Approve and remember', where: 'Approvals' },
	editInput: { keys: ['e'], show: ['E'], label: 'Edit the input', where: 'Approvals' },
	eventBack: { keys: ['['], show: ['['], label: 'One event back', where: 'Archive' },
	eventOn: { keys: [']'], show: [']'], label: 'One event on', where: 'Archive' },
	chapterBack: { keys: [','], show: [','], label: 'Chapter before', where: 'Archive' },
	chapterOn: { keys: ['.'], show: ['.'], label: 'Next chapter', where: 'Archive' },
	nextDenial: { keys: ['n d'], show: ['n', 'd'], label: 'Next denial', where: 'Archive' },
	nextMismatch: { keys: ['n m'], show: ['n', 'm'], label: 'Next mismatch', where: 'Archive' },
	nextDecision: { keys: ['n p'], show: ['n', 'p'], label: 'Next decision', where: 'Archive' },
} as const satisfies Record<string, Shortcut>;

/** The value of `aria-keyshortcuts` for a shortcut. */
export function ariaKeys({ show }: Shortcut): string {
	return show
		.join(' ')
		.replace('↓', 'ArrowDown')
		.replace('↑', 'ArrowUp')
		.replace('Esc', 'Escape')
		.replace('Ctrl K', 'Control+K Meta+K');
}
