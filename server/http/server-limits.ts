import type { ServerOptions } from 'node:http';

const REQUEST_MS = 30_000;

/** Of every server that listens on TCP: how long somebody may take to say what they want, and how long its headers may be. */
export const SERVER_LIMITS = {
	maxHeaderSize: 16 * 1024,
	requestTimeout: REQUEST_MS,
	headersTimeout: REQUEST_MS / 3,
	connectionsCheckingInterval: 1000,
} as const satisfies ServerOptions;
