import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const NO_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Ties one answer's scripts to its policy. */
export function mintNonce(): string {
	return randomBytes(16).toString('base64');
}

/** `next dev` needs eval and inline styles; a built page gets neither. */
export function pagePolicy(nonce: string, dev: boolean): string {
	return [
		"default-src 'self'",
		`script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ''}`,
		dev ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
		"style-src-attr 'unsafe-inline'",
		"img-src 'self' data:",
		"connect-src 'self'",
		"worker-src 'self'",
		"object-src 'none'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'self'",
	].join('; ');
}

export function setSecurityHeaders(response: ServerResponse): void {
	response.setHeader('x-content-type-options', 'nosniff');
	response.setHeader('referrer-policy', 'no-referrer');
	response.setHeader('cross-origin-opener-policy', 'same-origin');
	response.setHeader('cross-origin-resource-policy', 'same-origin');
	response.setHeader('x-frame-options', 'DENY');
	response.setHeader('content-security-policy', NO_CONTENT_POLICY);
}

/** Headers with which a proxy controls Next; there is no proxy here. */
const STEERING =
	/^(?:x-middleware-|x-invoke-|x-matched-path$|x-now-|x-vercel-|x-nextjs-|x-prerender-|x-forwarded-|forwarded$|next-action$|x-signalbox-hub$|content-security-policy)/;

const CHOICES = /(?<=^|;\s*)signalbox-(?:theme=(?:system|light|dark)|language=(?:en|zh-CN))(?=;|$)/g;

export function cleanForPages(request: IncomingMessage): void {
	const choices = (request.headers.cookie ?? '').match(CHOICES);
	for (const name of Object.keys(request.headers)) {
		if (STEERING.test(name) || name === 'cookie' || name === 'authorization') delete request.headers[name];
	}
	if (choices) request.headers.cookie = choices.join('; ');
}
