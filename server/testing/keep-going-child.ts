import { keepGoing } from '../process/keep-going.ts';
import { createLog } from '../process/log.ts';

/** A server's output and its end, for the test: it speaks each time a line comes in, and ends with stdin. */
const log = createLog();
process.stdout.on('error', () => process.exit(1));
keepGoing(log);
process.stdin.on('data', () => {
	process.stdout.write('Open link\n');
	log.info('said');
	setTimeout(() => {
		throw new Error('of one request');
	});
});
process.stdin.on('end', () => process.exit(7));
