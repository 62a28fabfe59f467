// What `z.config({ jitless: true })` sets, without zod in the first load: before any schema is made. Else zod would try
// whether it may make functions from text, which the pages' policy forbids and browsers report.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
