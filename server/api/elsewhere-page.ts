import { asTyped } from '#lib/text/as-typed.ts';
import type { OpenName } from '../program-name.ts';
import { asHtml, plainPage } from './plain-page.ts';

const main = (where: string) =>
	`<p>Nobody signs in at this address. Run <code>signalbox open</code> in a terminal of this machine${where}, and open the link that it prints: it leads to an address that only you know. That one is good to be kept as a bookmark.</p>`;

/** What somebody reads who comes by a name that others can guess too; where our own address is, it does not say. */
export function elsewherePage(nonce: string, program: OpenName): string {
	return plainPage({
		nonce,
		title: 'Another address',
		main: asTyped(main(asHtml(program.where)), asHtml(program.name)),
		script: '',
	});
}
