import type { Say } from '#lib/messages/say.ts';
import { asTyped } from '#lib/text/as-typed.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import type { OpenName } from '../../process/program-name.ts';
import { ASK_PASSKEY, asHtml, KEEP_SESSION, OPEN, plainPage } from './plain-page.ts';

/**
 * What the script does: takes the secret out of the address, swaps it for a session, keeps its token, goes on to the page
 * that was asked for. Without a secret it may look whether a session exists: links from other sites come without their cookie.
 */
const SCRIPT = `
const asked = new URLSearchParams(location.search).get('to') || '/';
const to = /^\\/(?![\\/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$/.test(asked) && !/^\\/log(in|out)/.test(asked) ? asked : '/';
const token = location.hash.slice(1);
const why = new URLSearchParams(location.search).get('why');
${KEEP_SESSION}
${ASK_PASSKEY}
const WHYS = ['refused', 'away', 'database', 'disabled', 'roleless', 'untouched'];
const codeOf = async (answer) => (await answer.json()).error?.code;
const sayNo = async (answer, usual) => say(answer.status === 429 ? 'slow' : answer.status < 500 ? usual : (await codeOf(answer).catch(() => '')) === 'hub/database' ? 'database' : 'failed');
const post = (path, body, headers = {}) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
const prove = async () => {
	const asked = await post('/login/passkey/challenge', {});
	if (!asked.ok) return sayNo(asked, 'untouched');
	const proof = await askPasskey(await asked.json());
	if (!proof) return say('untouched');
	const answer = await post('/login/passkey', {}, { '${PASSKEY_HEADER}': proof });
	if (!answer.ok) return sayNo(answer, 'untouched');
	return keep((await answer.json()).sessionToken).then(() => location.replace(to), () => say('kept'));
};
const go = async () => {
	history.replaceState(null, '', location.pathname + location.search);
	if (token) {
		const answer = await fetch('/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) });
		if (!answer.ok) return sayNo(answer, 'used');
		const { sessionToken } = await answer.json();
		return keep(sessionToken).then(() => location.replace(to), () => say('kept'));
	}
	if (WHYS.includes(why) && document.getElementById(why)) return say(why);
	const answer = document.body.dataset.look ? await fetch('/api/me', { headers: session() }) : null;
	if (answer?.ok) return location.replace(to);
	const code = answer && (await codeOf(answer));
	say({ 'auth/half': 'half', 'hub/database': 'database' }[code] ?? 'none');
};
for (const way of document.querySelectorAll('a[data-way]')) way.search = to === '/' ? '' : '?to=' + encodeURIComponent(to);
for (const button of document.querySelectorAll('[data-prove]')) button.onclick = () => prove().catch(() => say('gone'));
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
<p id="failed" hidden>${say('The server could not keep this sign-in, so the link is still good. Its disk may be full: see what its terminal says, then open the link again.')}</p>
<noscript><p>${say('Signing in needs JavaScript: the link’s secret stays in the address and only a script can hand it over.')}</p></noscript>`;
}

/** How somebody signs in at a hub without a link; nothing of it is on a machine's own page. */
export interface SignInWays {
	/** As the provider is called that people sign in at. */
	provider?: string | undefined;
	/** There is a passkey that signs in. */
	passkey: boolean;
}

/** What the page offers beside a link, and what came of it. */
function otherWays(say: Say, { provider, passkey }: SignInWays): string {
	const byProvider =
		provider && `<p><a data-way href="/login/oidc">${say('Sign in with {name}', { name: asHtml(provider) })}</a></p>`;
	const byPasskey = passkey && `<p><button type="button" data-prove>${say('Use my passkey')}</button></p>`;
	return `<p id="refused" hidden>${say('The sign-in did not fit, or took too long. Try again.')}</p>
<p id="away" hidden>${say('Where you sign in does not answer. Try again in a moment.')}</p>
<p id="database" hidden>${say('The hub cannot reach its database. Try again in a moment; a link that was not used yet is still good.')}</p>
<p id="disabled" hidden>${say('You have been switched off at this hub. Ask an admin.')}</p>
<p id="roleless" hidden>${say('Nobody has given you a role at this hub yet. Ask an admin.')}</p>
<p id="untouched" hidden>${say('The passkey was not accepted for this. Try again.')}</p>
${byProvider || ''}${byPasskey || ''}`;
}

/** The whole sign-in page. `nonce` is the one of its policy; `mayBeSignedIn` makes it look for a session first; `program` runs our command, and is shown to everybody. */
export function loginPage(options: {
	nonce: string;
	mayBeSignedIn: boolean;
	program: OpenName;
	say: Say;
	ways?: SignInWays | undefined;
}): string {
	const { nonce, mayBeSignedIn, program, say, ways } = options;
	return plainPage({
		nonce,
		say,
		title: say('Sign in'),
		main:
			asTyped(main(say, asHtml(say.told(program.where))), asHtml(program.name)) + (ways ? otherWays(say, ways) : ''),
		script: SCRIPT,
		body: mayBeSignedIn ? ' data-look="1"' : '',
	});
}
