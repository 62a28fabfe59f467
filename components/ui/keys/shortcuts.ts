import { type PageLink, places } from './page-links.ts';
import type { Shortcut } from './shortcut.ts';

/** Every shortcut but those to the pages; the hints and `aria-keyshortcuts` read it. */
export const shortcuts = {
	help: { keys: ['?'], show: ['?'], label: 'Show shortcuts', where: 'Everywhere' },
	find: { keys: ['mod+k', '/'], show: ['Ctrl K', '/'], label: 'Find anything', where: 'Everywhere' },
	next: { keys: ['j', 'arrowdown'], show: ['j', '↓'], label: 'Next row', where: 'Lists' },
	previous: { keys: ['k', 'arrowup'], show: ['k', '↑'], label: 'Previous row', where: 'Lists' },
	open: { keys: ['enter'], show: ['Enter'], label: 'Open the row', where: 'Lists' },
	close: { keys: ['escape'], show: ['Esc'], label: 'Close the detail', where: 'Session' },
	note: { keys: ['m'], show: ['m'], label: 'Note on the row', where: 'Session' },
	follow: { keys: ['end'], show: ['End'], label: 'Follow the newest row', where: 'Session' },
	zoomIn: { keys: ['+', '='], show: ['+'], label: 'Nearer', where: 'Lanes' },
	zoomOut: { keys: ['-'], show: ['−'], label: 'Farther', where: 'Lanes' },
	pan: { keys: ['arrowleft', 'arrowright'], show: ['←', '→'], label: 'Earlier, later', where: 'Lanes' },
	laneStart: { keys: ['home'], show: ['Home'], label: 'To the beginning', where: 'Lanes' },
	whole: { keys: ['0'], show: ['0'], label: 'The whole session', where: 'Lanes' },
	approve: { keys: ['a'], show: ['A'], label: 'Approve once', where: 'Approvals' },
	deny: { keys: ['d'], show: ['D'], label: 'Deny', where: 'Approvals' },
	remember: { keys: ['g'], show: ['G'], label: 'Approve and remember', where: 'Approvals' },
	editInput: { keys: ['e'], show: ['E'], label: 'Edit the input', where: 'Approvals' },
	play: { keys: ['space'], show: ['Space'], label: 'Play or pause', where: 'Archive' },
	slower: { keys: ['<'], show: ['<'], label: 'Play slower', where: 'Archive' },
	faster: { keys: ['>'], show: ['>'], label: 'Play faster', where: 'Archive' },
	eventBack: { keys: ['['], show: ['['], label: 'One event back', where: 'Archive' },
	eventOn: { keys: [']'], show: [']'], label: 'One event on', where: 'Archive' },
	chapterBack: { keys: [','], show: [','], label: 'Chapter before', where: 'Archive' },
	chapterOn: { keys: ['.'], show: ['.'], label: 'Next chapter', where: 'Archive' },
	nextDenial: { keys: ['n d'], show: ['n', 'd'], label: 'Next denial', where: 'Archive' },
	nextMismatch: { keys: ['n m'], show: ['n', 'm'], label: 'Next mismatch', where: 'Archive' },
	nextDecision: { keys: ['n p'], show: ['n', 'p'], label: 'Next decision', where: 'Archive' },
} as const satisfies Record<string, Shortcut>;

/** All of them where these pages are, as the sheet lists them. */
export const allShortcuts = (here: readonly PageLink[] = places): readonly Shortcut[] => [
	...Object.values(shortcuts),
	...here.map(({ shortcut }) => shortcut),
];
