/*
 * Loaded into a server before it starts: what it sends to the push service of tests goes to the one that the test runs.
 * A push service must be an https name on the internet, and there is none here.
 */
const { PUSH_STAND_IN: standIn } = process.env;
const send = globalThis.fetch;
globalThis.fetch = (url, init) => send(String(url).replace(/^https:\/\/push\.example\.org\//, standIn), init);
