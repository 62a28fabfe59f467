export type BotCommand =
	| { name: 'status' | 'stop'; sessionId: string | undefined }
	| { name: 'sessions' }
	| { name: 'help' };

/** Reads `/status@our_bot abc123`. */
export function parseBotCommand(text: string): BotCommand | null {
	const [head = '', sessionId] = text.trim().split(/\s+/, 2);
	switch (head.replace(/@\w+$/, '').toLowerCase()) {
		case '/status':
			return { name: 'status', sessionId };
		case '/stop':
			return { name: 'stop', sessionId };
		case '/sessions':
			return { name: 'sessions' };
		case '/start':
		case '/help':
			return { name: 'help' };
		default:
			return null;
	}
}
