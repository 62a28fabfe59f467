import type { Notification } from '#lib/notify/notification.ts';

/** One way to reach people who are not looking. */
export interface Channel {
	/** Resolves when the other side has taken it. Throws ServiceFailure. */
	send(notification: Notification, signal: AbortSignal): Promise<void>;
}
