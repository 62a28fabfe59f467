import { expect, test } from 'vitest';
import { createLateness } from './push-connection.ts';

test('an edge is as late as the oldest whole line that the hub does not have', () => {
	let at = 0;
	const late = createLateness(() => at);
	const after = (ms: number) => {
		at += ms;
		return late.lateMs();
	};
	late.grew('one', 100);
	expect(after(400)).toBe(400);
	late.grew('one', 200);
	late.grew('other', 50);
	expect(after(100)).toBe(500);
	late.has('one', 100);
	expect(late.lateMs()).toBe(100);
	late.has('one', 200);
	late.has('other', 50);
	expect(after(1000)).toBe(0);
	// The last line is not whole, and waits for nobody.
	late.grew('one', 260);
	late.tornAt('one', 250);
	late.has('one', 250);
	expect(after(1000)).toBe(0);
	// Another file, of which nothing is there.
	late.grew('one', 300);
	late.grew('one', 10);
	expect(after(30)).toBe(30);
	for (let n = 1; n < 1000; n += 1) {
		at += 1000;
		late.grew('one', 10 + n);
	}
	late.has('one', 10 + 98);
	expect(late.lateMs()).toBe(900_000);
});
