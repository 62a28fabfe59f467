/*
 * Starts the thread that reads telemetry from its TypeScript source, for tests and `npm run dev`: on Node 20 a worker does
 * not use the --import loader for its first file.
 */
import { register } from 'tsx/esm/api';

register();
await import('./decode-worker.ts');
