import { runServer } from './run-server.ts';

// What `npm run dev` runs; the built program comes in by `signalbox start`.
process.exitCode = await runServer();
