import { createTimelineRig } from './timeline-rig.ts';

/* Tails a home and prints `ready`, then the seq of each batch, until it is killed: `HOME`. */
const { tail } = await createTimelineRig(process.argv[2]).start();
tail.onBatch(({ view }) => console.log(view.seq));
console.log('ready');
setInterval(() => tail.noteAppended('s1'), 1);
