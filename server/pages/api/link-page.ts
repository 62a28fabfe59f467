import type { Say } from '#lib/messages/say.ts';
import { asTyped } from '#lib/text/as-typed.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import type { OpenName } from '../../process/program-name.ts';
import { ASK_PASSKEY, asHtml, KEEP_SESSION, OPEN, plainPage } from './plain-page.ts';

/**
 * What the script does: asks the server to use the link, once somebody really looks (browsers load pages ahead); where
 * that needs a passkey, asks for it at a click. The link stays in the address until it was used, so that a person can
 * sign in elsewhere and come back.
 */
const SCRIPT = `
const link = location.hash.slice(1);
${KEEP_SESSION}
const post = (path, headers = {}) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', ...session(), ...headers }, body: JSON.stringify({ link }) });
${ASK_PASSKEY}
const PLACES = { 'passkey/needed': 'passkey', 'passkey/refused': 'refused', 'link/sign-in': 'signin', 'link/used': 'used', 'link/over': 'over', 'auth/too-many': 'slow' };
const settle = async (answer) => {
	const body = await answer.json();
	const isKept = !body.sessionToken || (await keep(body.sessionToken).then(() => true, () => false));
	if (!isKept) return say('kept');
	if (answer.ok && /^\\/approvals\\?card=[\\w%-]+$/.test(body.to)) return location.replace(body.to);
	say(PLACES[body.error?.code] || 'wrong');
};
const look = async () => {
	if (!link) return say('wrong');
	say('busy');
	await settle(await post('/link'));
};
const prove = async () => {
	const asked = await post('/link/challenge');
	if (!asked.ok) return settle(asked);
	const proof = await askPasskey(await asked.json());
	if (!proof) return say('refused');
	await settle(await post('/link', { '${PASSKEY_HEADER}': proof }));
};
const guard = (run) => () => run().catch(() => say('gone'));
const seen = new Promise((resolve) => {
	const check = () => { if (document.visibilityState === 'visible' && !document.prerendering) resolve(); };
	addEventListener('visibilitychange', check);
	document.addEventListener('prerenderingchange', check);
	check();
});
say('busy');
void seen.then(guard(look));
for (const button of document.querySelectorAll('[data-prove]')) button.onclick = guard(prove);
for (const button of document.querySelectorAll('[data-again]')) button.onclick = guard(look);
addEventListener('hashchange', () => location.reload());
`;

function main(say: Say, where: string): string {
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

/** The whole page of a link to a waiting call. It says nothing of the call: who holds the link alone learns no more from it. */
export function linkPage(nonce: string, program: OpenName, say: Say): string {
	return plainPage({
		nonce,
		say,
		title: say('A call waits'),
		main: asTyped(main(say, asHtml(say.told(program.where))), asHtml(program.name)),
		script: SCRIPT,
	});
}
