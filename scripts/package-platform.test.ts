import { expect, test } from 'vitest';
import { platformOf } from './package-platform.mjs';

test.each([
	['@next/swc-darwin-arm64', { cpu: ['arm64'], os: ['darwin'] }],
	['@biomejs/cli-linux-x64-musl', { cpu: ['x64'], libc: ['musl'], os: ['linux'] }],
	['@oxc-parser/binding-linux-arm-gnueabihf', { cpu: ['arm'], libc: ['glibc'], os: ['linux'] }],
	['@oxc-parser/binding-win32-ia32-msvc', { cpu: ['ia32'], os: ['win32'] }],
	['@tailwindcss/oxide-wasm32-wasi', { cpu: ['wasm32'] }],
	['fsevents', {}],
])('reads the platform of %s from its name', (name, platform) => {
	expect(platformOf(name)).toEqual(platform);
});
