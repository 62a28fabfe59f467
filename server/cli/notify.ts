import { withNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { Notification } from '#lib/notify/notification.ts';
import { readNotifySettings } from '#lib/notify/notify-settings.ts';
import { findOwnHost } from '../access/own-host.ts';
import { type Channel, openChannel } from '../connect/notify/open-channel.ts';
import { openPushStore } from '../connect/notify/push-store.ts';
import { ServiceFailure } from '../connect/outgoing/call-service.ts';
import { defineCommand, EXIT } from '../process/command.ts';
import { findServer, homeOf } from '../process/home.ts';
import { readConfig } from '../process/read-config.ts';

const LIMIT_MS = 20_000;

export const notify = defineCommand({
	usage: 'notify test',
	about: [
		'Sends a test message to every channel of `notify` in config.json, and prints which ones failed. Needs no server.',
		'The server reads config.json when it starts: restart it after a change.',
	].join('\n'),
	options: {},
	verbs: { test: 0 },
	examples: ['signalbox notify test'],
	exits: { 0: 'every channel accepted the message', 1: 'no channel is configured, or one failed' },
	async run(_values, _words, terminal) {
		const home = homeOf(terminal);
		const config = withNodePorts(home, readConfig);
		const { channels: named, push, problems, address: set } = readNotifySettings(config, terminal.env);
		const address = set ?? (await findServer(home)) ?? defaultAddress(home, terminal.env);
		const pushStore = openPushStore(home, Date.now);
		const channels = [...named, ...(push && pushStore.browsers().length > 0 ? [push] : [])];
		for (const problem of problems) terminal.say(`config.json: ${problem}`);
		if (channels.length === 0) terminal.say('No channel is configured: see docs/guide/notifications.md.');
		let isGood = channels.length > 0 && problems.length === 0;
		for (const one of channels) {
			const opened = openChannel(one, terminal.env, pushStore, address);
			const failure = opened.ok ? await trial(opened.channel, address) : `${opened.missing} is not set`;
			terminal.print(`${one.name} (${one.kind}): ${failure ?? 'sent'}`);
			if (failure !== null) isGood = false;
		}
		return isGood ? EXIT.done : EXIT.failed;
	},
});

/** The address of this home's server, for a test without one. */
function defaultAddress(home: string, { SIGNALBOX_PORT: port }: Readonly<Record<string, string | undefined>>): string {
	return `http://${findOwnHost(home)}:${port || 7777}`;
}

async function trial({ send }: Channel, address: string): Promise<string | null> {
	const ts = new Date().toISOString();
	const words = { title: 'Signalbox: test', body: 'Messages of Signalbox arrive here.', url: address };
	const test: Notification = { id: `test-${ts}`, type: 'session:notice', ts, sessionId: '_home', tone: 'ok', ...words };
	try {
		await send(test, AbortSignal.timeout(LIMIT_MS));
		return null;
	} catch (error) {
		return error instanceof ServiceFailure ? error.message : 'it failed';
	}
}
