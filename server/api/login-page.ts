import type { Say } from '#lib/messages/say.ts';
import { asTyped } from '#lib/text/as-typed.ts';
import type { OpenName } from '../program-name.ts';
import { asHtml, KEEP_SESSION, OPEN, plainPage } from './plain-page.ts';

/**
 * What the script does: takes the secret out of the address, swaps it for a session, keeps its token, goes on to the page
 * that was asked for. Without a secret it may look whether a session exists: links from other sites come without their cookie.
 */
const SCRIPT = `
const asked = new URLSearchParams(location.search).get('to') || '/';
const to = /^\\/(?![\\/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$/.test(asked) && !/^\\/log(in|out)/.test(asked) ? asked : '/';
const token = location.hash.slice(1);
${KEEP_SESSION}
const go = async () => {
	history.replaceState(null, '', location.pathname + location.search);
	if (token) {
		const answer = await fetch('/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) });
		if (!answer.ok) return say(answer.status === 429 ? 'slow' : 'used');
		const { sessionToken } = await answer.json();
		return keep(sessionToken).then(() => location.replace(to), () => say('kept'));
	}
	const answer = document.body.dataset.look ? await fetch('/api/me', { headers: session() }) : null;
	if (answer?.ok) return location.replace(to);
	const why = answer && (await answer.json()).error?.code;
	say(why === 'auth/half' ? 'half' : 'none');
};
say('busy');
go().catch(() => say('gone'));
addEventListener('hashchange', () => location.reload());
`;

function main(say: Say, where: string): string {
	const here = { command: OPEN, where };
	const open = { command: OPEN, open: `<a href="/">${say('open Signalbox')}</a>` };
	const start = { command: '<code>signalbox start</code>' };
	return `<p id="busy" hidden>${say('Signing in ...')}</p>
<p id="none">${say('You are not signed in. Run {command} in a terminal of this machine{where}, and open the link that it prints.', here)}</p>
<p id="used" hidden>${say('This link was used already or is older than 15 minutes. If this browser is signed in, {open}; else run {command} for a fresh one.', open)}</p>
<p id="half" hidden>${say('This browser has lost one half of its sign-in: what it keeps for this page was cleared. Run {command} in a terminal of this machine{where}, and open the link that it prints.', here)}</p>
<p id="kept" hidden>${say('This browser keeps nothing for this page, so it cannot stay signed in. Allow cookies and site data for this address, then run {command} for a fresh link.', here)}</p>
<p id="slow" hidden>${say('Too many failed attempts. Wait a minute, then run {command} for a fresh link.', here)}</p>
<p id="gone" hidden>${say('The server does not answer. Start it with {command}, then open its link.', start)}</p>
<noscript><p>${say('Signing in needs JavaScript: the link’s secret stays in the address and only a script can hand it over.')}</p></noscript>`;
}

/** The whole sign-in page. `nonce` is the one of its policy; `mayBeSignedIn` makes it look for a session first; `program` runs our command, and is shown to everybody. */
export function loginPage(nonce: string, mayBeSignedIn: boolean, program: OpenName, say: Say): string {
	const body = mayBeSignedIn ? ' data-look="1"' : '';
	return plainPage({
		nonce,
		say,
		title: say('Sign in'),
		main: asTyped(main(say, asHtml(say.told(program.where))), asHtml(program.name)),
		script: SCRIPT,
		body,
	});
}
