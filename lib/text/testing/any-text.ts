import fc, { type StringConstraints } from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const PLANE = 0x1_0000;
const LAST_CODE_POINT = 0x10_ffff;

/** Every character of Unicode: three of four of the first plane. */
const character = fc.oneof(
	{ weight: 3, arbitrary: fc.integer({ min: 0, max: FIRST_SURROGATE - 1 }) },
	{ weight: 1, arbitrary: fc.integer({ min: PLANE, max: LAST_CODE_POINT }) },
);

/** The same, with the characters that texts are made of as often as all others. */
const unit = fc.oneof(fc.integer({ min: 0, max: 0xff }), character).map((point) => String.fromCodePoint(point));

/**
 * Any text at all, and names such as `__proto__`. fast-check's own unit `binary` prepares for seconds in each process
 * before its first text.
 */
export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
	return fc.oneof(
		{ weight: 9, arbitrary: fc.string({ ...constraints, unit }) },
		{ weight: 1, arbitrary: fc.string(constraints) },
	);
}
