import { asTyped } from '#lib/text/as-typed.ts';
import { COOKIE_HOST } from '../auth/auth.ts';
import type { OpenName } from '../program-name.ts';
import { asHtml, moveToCookieHost, plainPage } from './plain-page.ts';

/**
 * What the script does: takes the secret out of the address, swaps it for a session, goes on to the page that was
 * asked for. Without a secret it may look whether a session exists: links from other sites come without their cookie.
 */
const SCRIPT = `
const asked = new URLSearchParams(location.search).get('to') || '/';
const to = /^\\/(?![\\/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$/.test(asked) && !/^\\/log(in|out)/.test(asked) ? asked : '/';
const token = location.hash.slice(1);
${moveToCookieHost(COOKIE_HOST)}
const go = async () => {
	if (isElsewhere()) return;
	history.replaceState(null, '', location.pathname + location.search);
	const answer = token
		? await fetch('/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) })
		: document.body.dataset.look ? await fetch('/api/me') : { ok: false };
	if (answer.ok) return location.replace(to);
	say(!token ? 'none' : answer.status === 429 ? 'slow' : 'used');
};
say('busy');
go().catch(() => say('gone'));
addEventListener('hashchange', () => location.reload());
`;

const main = (where: string) => `<p id="busy" hidden>Signing in ...</p>
<p id="none">You are not signed in. Run <code>signalbox open</code> in a terminal of this machine${where}, and open the link that it prints.</p>
<p id="used" hidden>This link was used already or is older than 15 minutes. Run <code>signalbox open</code> for a fresh one.</p>
<p id="slow" hidden>Too many failed attempts. Wait a minute, then run <code>signalbox open</code> for a fresh link.</p>
<p id="gone" hidden>The server does not answer. Start it with <code>signalbox start</code>, then open its link.</p>
<noscript><p>Signing in needs JavaScript: the link's secret stays in the address and only a script can hand it over.</p></noscript>`;

/** The whole sign-in page. `nonce` is the one of its policy; `mayBeSignedIn` makes it look for a session first; `program` runs our command, and is shown to everybody. */
export function loginPage(nonce: string, mayBeSignedIn: boolean, program: OpenName): string {
	const body = mayBeSignedIn ? ' data-look="1"' : '';
	return plainPage({
		nonce,
		title: 'Sign in',
		main: asTyped(main(asHtml(program.where)), asHtml(program.name)),
		script: SCRIPT,
		body,
	});
}
