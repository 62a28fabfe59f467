import type { Plain } from '#lib/messages/say.ts';

/** One shortcut: any of its `keys` (KeyboardEvent.key in lower case, two of a sequence with a blank, `mod+k` with Ctrl or Cmd), `show` as a person reads them. */
export interface Shortcut {
	keys: readonly string[];
	show: readonly string[];
	label: Plain;
	where: 'Everywhere' | 'Lists' | 'Session' | 'Lanes' | 'Approvals' | 'Archive';
}

/** The value of `aria-keyshortcuts` for a shortcut. */
export function ariaKeys({ show }: Shortcut): string {
	return show
		.join(' ')
		.replace('↓', 'ArrowDown')
		.replace('↑', 'ArrowUp')
		.replace('Esc', 'Escape')
		.replace('Ctrl K', 'Control+K Meta+K');
}
