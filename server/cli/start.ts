import { type Command, EXIT, portOption } from '../process/command.ts';
import { writableHomeOf } from '../process/home.ts';

export const start: Command = {
	usage: 'start [--port N]',
	about: [
		'Starts the server on loopback and prints a login link that works once. Stop it with Ctrl+C.',
		'Each home (~/.overtone, or OVERTONE_HOME) has one server: a second `start` prints where the first one runs.',
	].join('\n'),
	options: { port: { type: 'string', value: 'N', about: 'port to listen on (default: SIGNALBOX_PORT, else 7777)' } },
	examples: ['signalbox start', 'signalbox start --port 7001', 'OVERTONE_HOME=/tmp/trial signalbox start --port 7002'],
	exits: {
		0: 'stopped, or the server of this home already runs',
		1: 'cannot start, e.g. the port is taken; the reason is on stderr',
	},
	async run({ port }, _words, terminal) {
		const chosen = typeof port === 'string' ? String(portOption(port)) : undefined;
		writableHomeOf(terminal);
		const { runServer } = await import('../main/run-server.ts');
		const code = await runServer({ ...terminal.env, ...(chosen && { SIGNALBOX_PORT: chosen }) });
		return code === 0 ? EXIT.done : EXIT.failed;
	},
};
