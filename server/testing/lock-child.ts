import { takeInstanceLock } from '../door/instance-lock.ts';

/* Takes the lock of a server, prints `held`, and holds it until it is killed: `PATH`. */
takeInstanceLock(process.argv[2] ?? '');
console.log('held');
setInterval(() => undefined, 1000);
