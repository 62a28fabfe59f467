import { writeOnTerminal } from '../access/open-sign-ins.ts';

/* Writes a secret on its terminal; the exit code is 5 if there is one. */
process.exit(writeOnTerminal('the secret') ? 5 : 6);
