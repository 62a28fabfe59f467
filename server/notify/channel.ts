import type { Notification } from '#lib/notify/notification.ts';

/** One way to reach people who are not looking. */
export interface Channel {
	/** Resolves when the other side has taken it. Throws NotifyFailure. */
	send(notification: Notification, signal: AbortSignal): Promise<void>;
}

/** Why a message was not taken. Its words never hold an address or a token: both can be secrets. */
export class NotifyFailure extends Error {
	/** Another try cannot succeed: the other side refuses what it was sent. */
	readonly isFinal: boolean;
	/** Milliseconds that the other side asks to wait. */
	readonly waitMs: number | undefined;

	constructor(message: string, { isFinal = false, waitMs }: { isFinal?: boolean; waitMs?: number } = {}) {
		super(message);
		this.isFinal = isFinal;
		this.waitMs = waitMs;
	}
}
