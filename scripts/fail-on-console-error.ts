import { afterAll, afterEach, vi } from 'vitest';

/*
 * A test that makes the product write to console.error fails, unless it expects that and replaces the function itself
 * with `vi.spyOn(console, 'error').mockImplementation(() => {})`.
 *
 * The calls are collected and thrown afterwards: thrown on the spot, they would be swallowed by whoever catches there.
 */
const collected: string[] = [];
const write = console.error;

console.error = (...parts: unknown[]) => {
	collected.push(parts.map(String).join(' '));
	write(...parts);
};

function failWhenCalled(): void {
	const calls = collected.splice(0);
	if (calls.length > 0) throw new Error(`console.error was called ${calls.length} times:\n${calls.join('\n')}`);
}

afterEach(failWhenCalled);
afterAll(async () => {
	// What a test has begun to import must not come when the environment is gone.
	await vi.dynamicImportSettled();
	// The next file finds it as this one did.
	console.error = write;
	failWhenCalled();
});
