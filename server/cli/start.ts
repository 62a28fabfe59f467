import { type Command, EXIT, portOption } from '../process/command.ts';
import { writableHomeOf } from '../process/home.ts';

/** `signalbox start` */
export const start: Command = {
	usage: 'start [--port N]',
	about: [
		'Runs the server on loopback and prints one line with a login link that works once. Stop it with Ctrl+C.',
		'One server serves one home (~/.overtone, or OVERTONE_HOME): a second start says where the first is.',
	].join('\n'),
	options: { port: { type: 'string', value: 'N', about: 'the port (default: SIGNALBOX_PORT, else 7777)' } },
	examples: ['signalbox start', 'signalbox start --port 7001', 'OVERTONE_HOME=/tmp/trial signalbox start --port 7002'],
	exits: {
		0: "stopped, or this home's server runs already",
		1: 'cannot start, e.g. the port is taken; who holds it is on stderr',
		2: 'the command line does not fit',
	},
	async run({ port }, _words, terminal) {
		const chosen = typeof port === 'string' ? String(portOption(port)) : undefined;
		writableHomeOf(terminal);
		const { runServer } = await import('../main/run-server.ts');
		const code = await runServer({ ...terminal.env, ...(chosen && { SIGNALBOX_PORT: chosen }) });
		return code === 0 ? EXIT.done : EXIT.failed;
	},
};
