import type { Say } from '#lib/messages/say.ts';
import { asTyped } from '#lib/text/as-typed.ts';
import type { OpenName } from '../../process/program-name.ts';
import { asHtml, OPEN, plainPage } from './plain-page.ts';

const main = (say: Say, where: string) =>
	`<p>${say('Nobody signs in at this address. Run {command} in a terminal of this machine{where}, and open the link that it prints: it leads to an address that only you know. That one is good to be kept as a bookmark.', { command: OPEN, where })}</p>`;

/** What somebody reads who comes by a name that others can guess too; where our own address is, it does not say. */
export function elsewherePage(nonce: string, program: OpenName, say: Say): string {
	return plainPage({
		nonce,
		say,
		title: say('Another address'),
		main: asTyped(main(say, asHtml(say.told(program.where))), asHtml(program.name)),
		script: '',
	});
}
