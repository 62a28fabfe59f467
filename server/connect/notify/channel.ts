import type { Notification } from '#lib/notify/notification.ts';

/** One way to reach people who are not looking. */
export interface Channel {
	/** False while there is nobody on it; absent where the settings themselves name somebody. */
	reaches?(): boolean;
	/** Resolves when the other side has taken it. Throws ServiceFailure. */
	send(notification: Notification, signal: AbortSignal): Promise<void>;
}
