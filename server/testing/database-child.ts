import { openDatabase } from '../timeline/store/open-database.ts';

/* Locks a database, prints `held`, and holds it until it is killed: `PATH`. */
const held = openDatabase(process.argv[2] ?? '');
held.exec('BEGIN EXCLUSIVE');
console.log('held');
setInterval(() => held.open, 1000);
