/* Starts the checkpoint worker from its TypeScript source, for the reason given in journal-worker-from-source.mjs. */
const { register } = await import('tsx/esm/api');
register();
await import('./checkpoint-worker.ts');
