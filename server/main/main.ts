import { runServer } from './run-server.ts';

// Run by `npm run dev`; the built program is started by `signalbox start`.
process.exitCode = await runServer();
