import { COOKIE_HOST } from '../auth/auth.ts';

/**
 * What the script does: takes the secret out of the address, swaps it for a session, goes on to the page that was
 * asked for. Without a secret it may look whether a session exists: links from other sites come without their cookie.
 */
const SCRIPT = `
const say = (id) => { for (const p of document.querySelectorAll('main > [id]')) p.hidden = p.id !== id; };
const asked = new URLSearchParams(location.search).get('to') || '/';
const to = /^\\/(?![\\/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*$/.test(asked) && !/^\\/log(in|out)/.test(asked) ? asked : '/';
const token = location.hash.slice(1);
const go = async () => {
	if (location.hostname !== '${COOKIE_HOST}') return location.replace('http://${COOKIE_HOST}:' + (location.port || 80) + location.pathname + location.search + location.hash);
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

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 32rem; padding: 2rem 1.25rem; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
code { font: 0.9em ui-monospace, monospace; padding: 0.1em 0.35em; border: 1px solid GrayText; border-radius: 4px; }
`;

/**
 * The whole sign-in page: static, without Next, readable without scripts. `nonce` is the one of its policy;
 * `mayBeSignedIn` makes it look for a session first.
 */
export function loginPage(nonce: string, mayBeSignedIn: boolean): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Sign in - Signalbox</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body${mayBeSignedIn ? ' data-look="1"' : ''}>
<main aria-live="polite">
<h1>Signalbox</h1>
<p id="busy" hidden>Signing in ...</p>
<p id="none">You are not signed in. Run <code>signalbox open</code> in a terminal of this machine (or <code>node dist/signalbox.js open</code> in the Signalbox folder) and open the link that it prints.</p>
<p id="used" hidden>This link was used already or is older than 15 minutes. Run <code>signalbox open</code> for a fresh one.</p>
<p id="slow" hidden>Too many failed attempts. Wait a minute, then run <code>signalbox open</code> for a fresh link.</p>
<p id="gone" hidden>The server does not answer. Start it with <code>signalbox start</code>, then open its link.</p>
<noscript><p>Signing in needs JavaScript: the link's secret stays in the address and only a script can hand it over.</p></noscript>
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>
`;
}

/** Nothing but its own script and style, an empty icon, and requests to this server. */
export function loginPolicy(nonce: string): string {
	return [
		"default-src 'none'",
		`script-src 'nonce-${nonce}'`,
		`style-src 'nonce-${nonce}'`,
		"connect-src 'self'",
		'img-src data:',
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'none'",
	].join('; ');
}
