import { describe, expect, it } from 'vitest';
import { readSettings } from '../settings/settings.ts';
import type { GateRow } from './gate.ts';
import { hooksOf } from './gate-hooks.ts';
import { gateById, gateTable } from './gate-table.ts';
import { gateTitle } from './gate-title.ts';

const rows: readonly GateRow[] = gateTable;

describe('the gate table', () => {
	it('R370 names each gate, setting and rule once', () => {
		for (const names of [
			rows.map(({ id }) => id),
			rows.map(({ setting }) => setting),
			rows.flatMap(({ denies }) => Object.keys(denies)),
		]) {
			expect(new Set(names).size).toBe(names.length);
		}
	});

	it('R370 every gate is read from the settings by its row', () => {
		for (const { setting, start, mayHold } of rows) {
			const read = (config: unknown) => readSettings(JSON.stringify(config), undefined);
			const plain = read({}).gates[setting as keyof ReturnType<typeof read>['gates']];
			expect([setting, plain]).toEqual([
				setting,
				{ ...(typeof start === 'string' && { enabled: start === 'on' }), hold: mayHold === true },
			]);
			for (const enabled of [true, false]) {
				const { gates, problems } = read({ gates: { [setting]: { enabled, hold: false } } });
				expect(problems).toEqual([]);
				expect(gates[setting as keyof typeof gates]).toEqual({ enabled, hold: false });
			}
			expect(read({ gates: { [setting]: { enabled: 'yes' } } }).problems).toHaveLength(1);
		}
	});

	it('a gate is a guard, or has a sentence about what the agent can write; the command policy is a guard', () => {
		expect(gateById('command-policy')?.basis).toBe('guard');
		for (const { basis } of rows) {
			if (basis !== 'guard') expect(basis.guidance).toMatch(/^[A-Z][^.]*(?:`[^`]*`[^.]*)*\.$/);
		}
	});

	it('R370 a gate that judges calls names its tools, and only such a one may wait for a person', () => {
		for (const row of rows) {
			const { events, tools } = hooksOf(row);
			if (events.includes('PreToolUse')) expect([row.id, tools.length > 0]).toEqual([row.id, true]);
			if (row.mayHold) expect([row.id, tools.length > 0]).toEqual([row.id, true]);
		}
		expect(gateTitle('stage-guard')).toBe('stage guard');
		expect(gateById('toString')).toBeUndefined();
	});
});
