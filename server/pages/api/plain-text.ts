import type { Context } from 'hono';

/** Answers with text of an agent, which no browser may take for anything else. */
export function plainText(context: Context, bytes: Buffer): Response {
	return context.body(new Uint8Array(bytes), 200, { 'content-type': 'text/plain; charset=utf-8' });
}
