import { startDesk } from './desk-rig.ts';

/*
 * A server in a process of its own, for tests that kill it: prints `ready`, then `waiting ID` for each polled ticket,
 * and decides when told to on stdin (`approve ID`).
 */
const rig = await startDesk({ home: process.argv[2], forcedHoldSeconds: 60 });
const say = (line: string) => void process.stdout.write(`${line}\n`);

process.stdin.setEncoding('utf8').on('data', (text: string) => {
	const [word, id = ''] = text.trim().split(' ');
	if (word === 'approve') void rig.desk.decide(id, { decision: 'approve' }, { role: 'operator', via: 'token' });
});
say('ready');
for (;;) say(`waiting ${await rig.next<string>('waiting')}`);
