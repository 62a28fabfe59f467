import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Instant, leftMs, moveTicket, openTicket, type TicketMove, type TicketState } from './ticket.ts';

const zero: Instant = { wall: 1_000_000, monotonic: 0 };
const later = (ms: number): Instant => ({ wall: zero.wall + ms, monotonic: zero.monotonic + ms });
const approve: TicketMove = { kind: 'decide', decision: 'approve' };

test('R85 the first answer wins, a second one is refused as decided', () => {
	const first = moveTicket(openTicket(zero, 1000), approve, later(10));
	expect(first).toMatchObject({ ok: true, state: { state: 'approved' } });
	if (!first.ok) return;
	expect(moveTicket(first.state, { kind: 'decide', decision: 'deny' }, later(20))).toEqual({
		ok: false,
		refusal: 'decided',
	});
});

test.each([
	['the wall clock was set back', { wall: zero.wall - 600_000, monotonic: 1000 }],
	['the steady clock stood still in sleep', { wall: zero.wall + 1000, monotonic: 5 }],
])('the deadline passes on the stricter clock: %s', (_name, now) => {
	const ticket = openTicket(zero, 1000);
	expect(moveTicket(ticket, approve, now)).toEqual({ ok: false, refusal: 'late' });
	expect(moveTicket(ticket, { kind: 'expire' }, now)).toMatchObject({ ok: true, state: { state: 'expired' } });
	expect(leftMs(ticket, now)).toBe(0);
});

/** What the real ticket and the model have come to; a crash keeps only what was written down. */
interface Real {
	ticket: TicketState;
	written: TicketState;
}
interface Model {
	end: string | null;
	at: number;
	ends: number;
}

const holdMs = 1000;
const moves: Record<string, TicketMove> = {
	approve,
	deny: { kind: 'decide', decision: 'deny' },
	answer: { kind: 'decide', decision: 'answer' },
	expire: { kind: 'expire' },
	abandon: { kind: 'abandon' },
};

class Move implements fc.Command<Model, Real> {
	readonly name: string;
	constructor(name: string) {
		this.name = name;
	}
	check = () => true;
	run(model: Model, real: Real) {
		const move = moves[this.name];
		if (!move) throw new Error(`no such move: ${this.name}`);
		const past = model.at >= holdMs;
		const result = moveTicket(real.ticket, move, later(model.at));
		const fits = move.kind === 'abandon' || (move.kind === 'expire' ? past : !past);
		expect(result.ok).toBe(model.end === null && fits);
		if (!result.ok) {
			const decided = model.end !== null && ['approve', 'deny', 'answer'].includes(model.end);
			const early = model.end === null && move.kind === 'expire';
			expect(result.refusal).toBe(decided ? 'decided' : early ? 'early' : 'late');
			return;
		}
		real.ticket = result.state;
		real.written = result.state;
		model.end = this.name;
		model.ends += 1;
		expect(model.ends).toBe(1);
	}
	toString = () => this.name;
}

class Pass implements fc.Command<Model, Real> {
	readonly ms: number;
	constructor(ms: number) {
		this.ms = ms;
	}
	check = () => true;
	run(model: Model) {
		model.at += this.ms;
	}
	toString = () => `pass ${this.ms}`;
}

/** The process dies and comes back with what was written; an open ticket is then abandoned. */
class Crash implements fc.Command<Model, Real> {
	check = () => true;
	run(model: Model, real: Real) {
		real.ticket = real.written;
		const result = moveTicket(real.ticket, { kind: 'abandon' }, later(model.at));
		expect(result.ok).toBe(model.end === null);
		if (!result.ok) return;
		real.ticket = result.state;
		real.written = result.state;
		model.end = 'abandon';
		model.ends += 1;
	}
	toString = () => 'crash';
}

test('R85 any interleaving of decisions, expiry, loss and crashes ends a ticket exactly once', () => {
	const commands = [
		...Object.keys(moves).map((name) => fc.constant(new Move(name))),
		fc.integer({ min: 1, max: 700 }).map((ms) => new Pass(ms)),
		fc.constant(new Crash()),
	];
	fc.assert(
		fc.property(fc.commands(commands, { maxCommands: 30 }), (run) => {
			const ticket = openTicket(zero, holdMs);
			const setup = () => ({ model: { end: null, at: 0, ends: 0 }, real: { ticket, written: ticket } });
			fc.modelRun(setup, run);
		}),
		{ numRuns: 2000, seed: 20_261_121 },
	);
});
