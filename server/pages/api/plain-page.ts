import { SESSION_HEADER, SESSION_KEY } from '#lib/contract/access/session-token.ts';
import type { Say } from '#lib/messages/say.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { max-width: 32rem; padding: 2rem 1.25rem; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
code { font: 0.9em ui-monospace, monospace; padding: 0.1em 0.35em; border: 1px solid GrayText; border-radius: 4px; }
button { font: inherit; padding: 0.6rem 1rem; border: 1px solid GrayText; border-radius: 6px; background: ButtonFace; color: ButtonText; }
`;

/** The command that prints a link, as it stands in a page; `asTyped` names the program. */
export const OPEN = '<code>signalbox open</code>';

/** Text as it may stand in a page: no character of it ends an element or an attribute. */
export const asHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/**
 * A page that works without a sign-in and without Next: static, readable without scripts. `main` and `script` are our
 * own text, never anybody else's. Each child of main with an id is shown alone, by the script's `say(id)`.
 */
export function plainPage(page: {
	nonce: string;
	/** The reader's language. */
	say: Say;
	title: string;
	main: string;
	script: string;
	/** Attributes of the body. */
	body?: string;
}): string {
	const { nonce, say, title, main, script, body = '' } = page;
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
${main}
</main>
<script nonce="${nonce}">
const say = (id) => { for (const p of document.querySelectorAll('main > [id]')) p.hidden = p.id !== id; };
${script}</script>
</body>
</html>
`;
}

/** Nothing but its own script and style, an empty icon, and requests to this server. */
export function plainPolicy(nonce: string): string {
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

/**
 * Script: `keep(token)` keeps a session token in what only this origin reads, for its pages and for its worker, who has no
 * local storage; it rejects where the browser keeps nothing. `session()` gives the header that a request carries.
 */
export const KEEP_SESSION = `
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

/**
 * Script: `askPasskey(options)` has the browser's authenticator answer what the server asks for, as the text of the header
 * that carries it; null where its owner did not.
 */
export const ASK_PASSKEY = `
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
