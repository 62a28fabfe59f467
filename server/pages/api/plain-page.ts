import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { SESSION_HEADER, SESSION_KEY } from '#lib/contract/access/session-token.ts';
import { chinese } from '#lib/messages/chinese.ts';
import { LANGUAGE_COOKIE, languageFor } from '#lib/messages/language.ts';
import { english, type Say, sayIn } from '#lib/messages/say.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { mintNonce } from '../../http/security-headers.ts';
import type { OpenName } from '../../process/program-name.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 32rem; padding: 2rem 1.25rem; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
code { font: 0.9em ui-monospace, monospace; padding: 0.1em 0.35em; border: 1px solid GrayText; border-radius: 4px; }
button { font: inherit; padding: 0.6rem 1rem; border: 1px solid GrayText; border-radius: 6px; background: ButtonFace; color: ButtonText; }
`;

const OPEN = '<code>signalbox open</code>';

const asHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The reader of a page without a sign-in: nonce of its policy, the program's command line, and language. */
interface PageReader {
	nonce: string;
	program: OpenName;
	say: Say;
}

/** Answers with a page of our own that needs neither a sign-in nor Next, in the reader's language. */
export function answerPage(context: Context, program: OpenName, pageFor: (reader: PageReader) => string): Response {
	const nonce = mintNonce();
	const language = languageFor(getCookie(context, LANGUAGE_COOKIE), context.req.header('accept-language'));
	const say = language === 'en' ? english : sayIn(language, chinese);
	return context.html(pageFor({ nonce, program, say }), 200, {
		'content-security-policy': [
			"default-src 'none'",
			`script-src 'nonce-${nonce}'`,
			`style-src 'nonce-${nonce}'`,
			"connect-src 'self'",
			'img-src data:',
			"frame-ancestors 'none'",
			"base-uri 'none'",
			"form-action 'none'",
		].join('; '),
	});
}

/** Of the children of main with an id, the script's `show(id)` shows one; without scripts the page is still readable. */
function plainPage(
	{ nonce, say, program }: PageReader,
	page: { title: string; main: (say: Say, where: string) => string; more?: string; script?: string; body?: string },
): string {
	const { title, main, more = '', script = '', body = '' } = page;
	return `<!doctype html>
<html lang="${say.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} - Signalbox</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body${body}>
<main aria-live="polite">
<h1>Signalbox</h1>
${withProgramName(main(say, asHtml(program.where && say(program.where))), asHtml(program.name))}${more}
</main>
<script nonce="${nonce}">
const show = (id) => { for (const p of document.querySelectorAll('main > [id]')) p.hidden = p.id !== id; };
${script}</script>
</body>
</html>
`;
}

/** Script: stores a session token where pages and their worker, which has no local storage, find it. */
const KEEP_SESSION = `
const keep = async (token) => {
	localStorage.setItem('${SESSION_KEY}', token);
	await self.caches?.open('${SESSION_KEY}').then((box) => box.put('/session', new Response(token))).catch(() => undefined);
};
const session = () => {
	try {
		const token = localStorage.getItem('${SESSION_KEY}');
		return token ? { '${SESSION_HEADER}': token } : {};
	} catch {
		return {};
	}
};`;

/** Script: `askPasskey(options)` gives the authenticator's answer as the text of its header; null if the person refused. */
const ASK_PASSKEY = `
const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const askPasskey = async ({ challenge, rpId, allowCredentials = [], userVerification, timeout }) => {
	const publicKey = { challenge: bytes(challenge), rpId, userVerification, timeout, allowCredentials: allowCredentials.map((one) => ({ ...one, id: bytes(one.id) })) };
	const found = await navigator.credentials.get({ publicKey }).catch(() => null);
	if (!found) return null;
	const { authenticatorData, clientDataJSON, signature, userHandle } = found.response;
	const response = { authenticatorData: text(authenticatorData), clientDataJSON: text(clientDataJSON), signature: text(signature), ...(userHandle && { userHandle: text(userHandle) }) };
	const proof = { id: found.id, rawId: text(found.rawId), type: found.type, clientExtensionResults: found.getClientExtensionResults(), response };
	return text(new TextEncoder().encode(JSON.stringify(proof)));
};`;

/** Removes the secret from the address, swaps it for a session, and opens the requested page. */
const LOGIN_SCRIPT = `
const asked = new URLSearchParams(location.search).get('to') || '/';
const to = /^\\/(?![\\/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$/.test(asked) && !/^\\/log(in|out)/.test(asked) ? asked : '/';
const token = location.hash.slice(1);
const why = new URLSearchParams(location.search).get('why');
${KEEP_SESSION}
${ASK_PASSKEY}
const REASONS = ['refused', 'away', 'database', 'disabled', 'roleless', 'untouched'];
const codeOf = async (answer) => (await answer.json()).error?.code;
const showRefusal = async (answer, usual) => show(answer.status === 429 ? 'slow' : answer.status < 500 ? usual : (await codeOf(answer).catch(() => '')) === 'hub/database' ? 'database' : 'failed');
const post = (path, body, headers = {}) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });
const prove = async () => {
	const challenge = await post('/login/passkey/challenge', {});
	if (!challenge.ok) return showRefusal(challenge, 'untouched');
	const proof = await askPasskey(await challenge.json());
	if (!proof) return show('untouched');
	const answer = await post('/login/passkey', {}, { '${PASSKEY_HEADER}': proof });
	if (!answer.ok) return showRefusal(answer, 'untouched');
	return keep((await answer.json()).sessionToken).then(() => location.replace(to), () => show('kept'));
};
const go = async () => {
	history.replaceState(null, '', location.pathname + location.search);
	if (token) {
		const answer = await fetch('/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) });
		if (!answer.ok) return showRefusal(answer, 'used');
		const { sessionToken } = await answer.json();
		return keep(sessionToken).then(() => location.replace(to), () => show('kept'));
	}
	if (REASONS.includes(why) && document.getElementById(why)) return show(why);
	const answer = document.body.dataset.look ? await fetch('/api/me', { headers: session() }) : null;
	if (answer?.ok) return location.replace(to);
	const code = answer && (await codeOf(answer));
	show({ 'auth/half': 'half', 'hub/database': 'database' }[code] ?? 'none');
};
for (const way of document.querySelectorAll('a[data-way]')) way.search = to === '/' ? '' : '?to=' + encodeURIComponent(to);
for (const button of document.querySelectorAll('[data-prove]')) button.onclick = () => prove().catch(() => show('gone'));
show('busy');
go().catch(() => show('gone'));
addEventListener('hashchange', () => location.reload());
`;

function loginMain(say: Say, where: string): string {
	const here = { command: OPEN, where };
	const open = { command: OPEN, open: `<a href="/">${say('open Signalbox')}</a>` };
	const start = { command: '<code>signalbox start</code>' };
	return `<p id="busy" hidden>${say('Signing in ...')}</p>
<p id="none">${say('You are not signed in. Run {command} in a terminal of this machine{where}, and open the link that it prints.', here)}</p>
<p id="used" hidden>${say('This link was used already or is older than 15 minutes. If this browser is signed in, {open}; else run {command} for a fresh one.', open)}</p>
<p id="half" hidden>${say('This browser has lost half of its sign-in: its storage for this page was cleared. Run {command} in a terminal of this machine{where}, and open the link that it prints.', here)}</p>
<p id="kept" hidden>${say('This browser keeps nothing for this page, so it cannot stay signed in. Allow cookies and site data for this address, then run {command} for a fresh link.', here)}</p>
<p id="slow" hidden>${say('Too many failed attempts. Wait a minute, then run {command} for a fresh link.', here)}</p>
<p id="gone" hidden>${say('The server does not answer. Start it with {command}, then open its link.', start)}</p>
<p id="failed" hidden>${say('The server could not keep this sign-in, so the link is still good. Its disk may be full: see what its terminal says, then open the link again.')}</p>
<noscript><p>${say('Signing in needs JavaScript: the link’s secret stays in the address and only a script can hand it over.')}</p></noscript>`;
}

export interface SignInWays {
	provider?: string | undefined;
	passkey: boolean;
}

function otherWays(say: Say, { provider, passkey }: SignInWays): string {
	const byProvider =
		provider && `<p><a data-way href="/login/oidc">${say('Sign in with {name}', { name: asHtml(provider) })}</a></p>`;
	const byPasskey = passkey && `<p><button type="button" data-prove>${say('Use my passkey')}</button></p>`;
	return `<p id="refused" hidden>${say('The sign-in was refused or took too long. Try again.')}</p>
<p id="away" hidden>${say('The sign-in provider does not answer. Try again in a moment.')}</p>
<p id="database" hidden>${say('The hub cannot reach its database. Try again in a moment; a link that was not used yet is still good.')}</p>
<p id="disabled" hidden>${say('Your account at this hub is disabled. Ask an admin.')}</p>
<p id="roleless" hidden>${say('You have no role at this hub yet. Ask an admin.')}</p>
<p id="untouched" hidden>${say('The passkey was not accepted for this. Try again.')}</p>
${byProvider || ''}${byPasskey || ''}`;
}

/** The sign-in page. `mayBeSignedIn` makes it look for a session first: links from other sites come without their cookie. */
export function loginPage(reader: PageReader, mayBeSignedIn: boolean, ways: SignInWays | undefined): string {
	return plainPage(reader, {
		title: reader.say('Sign in'),
		main: loginMain,
		more: ways && otherWays(reader.say, ways),
		script: LOGIN_SCRIPT,
		body: mayBeSignedIn ? ' data-look="1"' : '',
	});
}

/** Uses the link once the page is visible, since browsers preload pages. */
const LINK_SCRIPT = `
const link = location.hash.slice(1);
${KEEP_SESSION}
const post = (path, headers = {}) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...session(), ...headers }, body: JSON.stringify({ link }) });
${ASK_PASSKEY}
const SECTIONS = { 'passkey/needed': 'passkey', 'passkey/refused': 'refused', 'link/sign-in': 'signin', 'link/used': 'used', 'link/over': 'over', 'auth/too-many': 'slow' };
const showResult = async (answer) => {
	const body = await answer.json();
	const isKept = !body.sessionToken || (await keep(body.sessionToken).then(() => true, () => false));
	if (!isKept) return show('kept');
	if (answer.ok && /^\\/approvals\\?card=[\\w%-]+$/.test(body.to)) return location.replace(body.to);
	show(SECTIONS[body.error?.code] || 'wrong');
};
const openLink = async () => {
	if (!link) return show('wrong');
	show('busy');
	await showResult(await post('/link'));
};
const prove = async () => {
	const challenge = await post('/link/challenge');
	if (!challenge.ok) return showResult(challenge);
	const proof = await askPasskey(await challenge.json());
	if (!proof) return show('refused');
	await showResult(await post('/link', { '${PASSKEY_HEADER}': proof }));
};
const guard = (run) => () => run().catch(() => show('gone'));
const seen = new Promise((resolve) => {
	const check = () => { if (document.visibilityState === 'visible' && !document.prerendering) resolve(); };
	addEventListener('visibilitychange', check);
	document.addEventListener('prerenderingchange', check);
	check();
});
show('busy');
void seen.then(guard(openLink));
for (const button of document.querySelectorAll('[data-prove]')) button.onclick = guard(prove);
for (const button of document.querySelectorAll('[data-again]')) button.onclick = guard(openLink);
addEventListener('hashchange', () => location.reload());
`;

function linkMain(say: Say, where: string): string {
	const approvals = { approvals: `<a href="/approvals">${say('Approvals')}</a>` };
	const prove = `<button type="button" data-prove>${say('Use my passkey')}</button>`;
	const again = `<button type="button" data-again>${say('Try again')}</button>`;
	const signIn = { command: OPEN, where, passkey: `<strong>${say('passkey')}</strong>` };
	return `<p id="busy" hidden>${say('Opening the call that waits ...')}</p>
<div id="passkey" hidden><p>${say('An agent waits for you. This browser is not signed in. With your passkey it may look, and decide this one call; approving asks for the passkey once more.')}</p>${prove}</div>
<div id="refused" hidden><p>${say('The passkey was not accepted, and nothing was changed. The link is still good.')}</p>${prove}</div>
<div id="signin" hidden><p>${say('An agent waits for you, but this browser is not signed in. Run {command} in a terminal of the machine that runs Signalbox{where}; open the link that it prints in this browser, and come back here: the link is still good. With a {passkey} (Sign-in, top right, once you are signed in) later links need no sign-in.', signIn)}</p>${again}</div>
<p id="kept" hidden>${say('This browser keeps nothing for this page, so the passkey cannot sign it in. Allow cookies and site data for this address.')}</p>
<p id="used" hidden>${say('This link was used already; each opens once. If the call still waits, it is under {approvals}.', approvals)}</p>
<p id="over" hidden>${say('Too late: the call that this link was for no longer waits. What became of it is under {approvals}.', approvals)}</p>
<p id="wrong" hidden>${say('This link is not whole, or the server was started again since it was sent. What waits is under {approvals}.', approvals)}</p>
<div id="slow" hidden><p>${say('Too many wrong links. Wait a minute.')}</p>${again}</div>
<div id="gone" hidden><p>${say('The server does not answer. Is the tunnel to its machine open?')}</p>${again}</div>
<noscript><p>${say('Opening a link needs JavaScript. Nothing was used; what waits is under {approvals}.', approvals)}</p></noscript>`;
}

/** The page of a link to a waiting call. It does not describe the call: the link alone reveals nothing about it. */
export const linkPage = (reader: PageReader): string =>
	plainPage(reader, { title: reader.say('A call waits'), main: linkMain, script: LINK_SCRIPT });

export const elsewherePage = (reader: PageReader): string =>
	plainPage(reader, {
		title: reader.say('Another address'),
		main: (say, where) =>
			`<p>${say('Nobody signs in at this address. Run {command} in a terminal of this machine{where}, and open the link that it prints: it leads to an address that only you know. That one is good to be kept as a bookmark.', { command: OPEN, where })}</p>`,
	});
