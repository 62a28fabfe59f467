import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hub } from '#server/cli/hub.ts';
import { readEnvironment } from '#server/process/env.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const compose = read('deploy/compose.yaml');
const unit = read('deploy/signalbox-hub.service');
/** Read by the client of the object store, not by the server itself. */
const OF_THE_STORE = /^AWS_/;

test('R2088 what compose gives the hub is what the server reads, in the form in which it reads it', () => {
	const block = /environment: &environment\n((?: {4}\S.*\n)+)/.exec(compose)?.[1] ?? '';
	const given = block
		.trim()
		.split('\n')
		.map((line) => /^\s*(\w+): (.*)$/.exec(line) ?? [])
		.map(([, name = '', value = '']) => [name, value.replace(/\$\{\w+:[?-]\}/g, 'x'.repeat(24))] as const);
	const own = given.filter(([name]) => !OF_THE_STORE.test(name));
	expect(own.length).toBeGreaterThan(3);
	expect(() => readEnvironment(Object.fromEntries(own))).not.toThrow();
	for (const [name] of own) expect(read('server/process/env.ts'), name).toContain(`\t${name}: `);
	for (const name of [...unit.matchAll(/SIGNALBOX_\w+|OVERTONE_\w+/g)].map(String)) {
		expect(read('server/process/env.ts'), name).toContain(`\t${name}: `);
	}
});

test('R2088 every variable that compose asks for is in the example, and none beside', () => {
	const required = [...compose.matchAll(/\$\{(\w+):/g)].map(([, name]) => name);
	const listed = [...read('deploy/hub.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
	expect([...new Set(listed)].sort()).toEqual([...new Set(required)].sort());
});

test('R2088 the commands of compose and of the unit are commands of the hub, at ports that the proxy and Prometheus know', () => {
	const commands = [
		...[...compose.matchAll(/command: \[hub, (.*)\]/g)].map(([, words = '']) => words.replace(/[",]/g, '')),
		...[...unit.matchAll(/signalbox\.js hub (.*)/g)].map(([, words = '']) => words),
	];
	expect(commands).toHaveLength(5);
	const ports = new Set<string>();
	for (const words of commands.map((line) => line.split(/\s+/))) {
		for (const word of words) if (word.startsWith('--')) expect(Object.keys(hub.options)).toContain(word.slice(2));
		if (!words[0]?.startsWith('--')) expect(hub.usage).toContain(`|${words[0]}|`);
		const port = words[words.indexOf('--port') + 1] ?? '';
		if (/^\d+$/.test(port)) ports.add(port);
	}
	expect([...ports]).toEqual(['7780', '7781']);
	for (const port of ports) {
		expect(read('deploy/Caddyfile')).toContain(`127.0.0.1:${port}`);
		expect(read('deploy/prometheus/prometheus.yaml')).toContain(`127.0.0.1:${port}`);
	}
});

test('R2436 the container, the release and the documents name the version, the program and the Node of package.json', () => {
	const { version, engines, bin, scripts } = JSON.parse(read('package.json'));
	const dockerfile = read('deploy/Dockerfile');
	const release = read('.github/workflows/release.yml');
	const oldest = Number(/\d+/.exec(engines.node)?.[0]);
	for (const [, node] of dockerfile.matchAll(/^FROM node:(\d+)/gm)) expect(Number(node)).toBeGreaterThanOrEqual(oldest);
	expect(dockerfile).toContain(`/opt/signalbox/${bin.signalbox.replace('./', '')} `);
	expect(dockerfile).toMatch(/^USER node$[\s\S]*^CMD \["start"\]$/m);
	expect(read('.dockerignore')).toBe('*\n!signalbox-*.tgz\n');
	expect(release).toMatch(/run: npm pack$/m);
	expect(scripts).toMatchObject({
		prepack: expect.stringContaining('build-package.mjs'),
		postpack: expect.any(String),
	});
	expect(release).toContain('--provenance');
	expect(read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
	expect(read('SECURITY.md')).toContain(`\n| ${version.replace(/\d+$/, 'x')} | yes |\n`);
	expect(JSON.parse(read('package-lock.json')).version).toBe(version);
});
