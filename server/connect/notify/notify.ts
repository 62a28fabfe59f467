import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { ChannelState } from '#lib/contract/health/status.ts';
import { type NotifySettings, readNotifySettings } from '#lib/notify/notify-settings.ts';
import type { WorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import type { Log } from '../../process/log.ts';
import { readConfig } from '../../process/read-config.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { createNotifier, type Notifier, type WaitingCall } from './notifier.ts';
import { openChannel } from './open-channel.ts';
import type { PushStore } from './push-store.ts';
import { createBotService, startTelegramPoller, type TelegramPoller } from './telegram-poller.ts';

/** What the notifications need from the rest of the server. */
export interface NotifyOptions {
	tail: Pick<Tail, 'onBatch' | 'views'>;
	ports: Ports;
	/** Where a chat's stop is done. */
	workflows: WorkflowControl;
	/** The path that opens one waiting call, once; a new one at each call. */
	linkTo: (question: WaitingCall) => string;
	/** The browsers that asked to be told. */
	pushStore: PushStore;
	/** The server's own address, for links, unless the settings name another. */
	address: string;
	env: Readonly<Record<string, string | undefined>>;
	now: () => number;
	log: Log;
}

/** Reads `notify` of `config.json` once and starts what it asks for; what is wrong there is said in the log. */
export function startNotify({
	tail,
	ports,
	workflows,
	linkTo,
	pushStore,
	address,
	env,
	now,
	log,
}: NotifyOptions): Notifier {
	const settings = readNotifySettings(readConfig(ports), env);
	for (const problem of settings.problems) log.warn(`config.json: ${problem}`);
	const pollers: TelegramPoller[] = [];
	const service = createBotService({ views: tail.views, stop: (sessionId) => stopIn(workflows, sessionId), now });
	const leftOut: ChannelState[] = [];
	const channels = [...settings.channels, ...(settings.push ? [settings.push] : [])].flatMap((one) => {
		const opened = openChannel(one, env, pushStore, settings.address);
		if (!opened.ok) {
			log.warn('notify: a channel is left out, because its environment variable is not set', {
				channel: one.name,
				variable: opened.missing,
			});
			leftOut.push({ name: one.name, kind: one.kind, missing: opened.missing, last: null });
			return [];
		}
		if (opened.telegram && one.kind === 'telegram') {
			pollers.push(startTelegramPoller({ api: opened.telegram, chats: one.chats, service, now, log }));
		}
		return [{ settings: one, channel: opened.channel }];
	});
	const notifier = createNotifier({ channels, tail, linkTo, address: placeOf(settings, address), now, log });
	return {
		reachesPerson: notifier.reachesPerson,
		channels: () => [...notifier.channels(), ...leftOut],
		async stop() {
			await Promise.all([notifier.stop(), ...pollers.map((poller) => poller.stop())]);
		},
	};
}

/** A chat may brake, never allow: nothing that was denied can be let through from there. False when nothing runs. */
async function stopIn(workflows: WorkflowControl, sessionId: string): Promise<boolean> {
	try {
		await workflows.act(sessionId, { action: 'stop' }, { role: 'chat', via: 'telegram' });
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'workflow/state') return false;
		throw error;
	}
}

function placeOf({ address }: NotifySettings, own: string): string {
	return (address ?? own).replace(/\/+$/, '');
}
