import type { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import type { HubSessionName } from '#lib/ids/session-name.ts';
import type { Log } from '../../process/log.ts';
import type { HubSession, HubStore } from '../../timeline/store/hub-store.ts';
import type { EndReason } from '../database/end-codes.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { TicketStore } from '../decisions/ticket-store.ts';
import type { Withdrawal } from '../decisions/withdraw-decision.ts';
import type { FeatureKeeping } from '../features/feature-keeping.ts';
import type { Hints } from '../hints/hints.ts';
import type { CommandStore } from '../machines/command-store.ts';
import type { ConnectedEdgeStatus, EdgeStore } from '../machines/edge-store.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';
import type { EdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import type { FoldedRange } from '../timelines/range-fold.ts';
import type { RangeWriter } from '../timelines/range-writer.ts';

/** What the connections of a replica share. */
export interface HubParts {
	identity: HubIdentity;
	/** The wire that this program speaks, and the one before. */
	wire: number;
	store: HubStore;
	/** As `store.open`; what many connections ask at once is one question. */
	open: (name: HubSessionName) => Promise<HubSession>;
	edges: EdgeStore;
	journals: EdgeJournalStore;
	commands: CommandStore;
	withdraw: Withdrawal;
	tickets: Pick<TicketStore, 'told'>;
	hints: Pick<Hints, 'tell'>;
	writer: RangeWriter;
	paces: EdgeRateLimits;
	/** Of each signed hello: undefined where it is taken, else the seconds within which its machine is to come again. */
	admit: () => number | undefined;
	features: FeatureKeeping;
	log: Log;
	now: () => number;
	/** The edge is let in: another connection of it ends. Says whether the two take turns too often. */
	arrived: (edge: number, connection: EdgeConnection) => boolean;
	committed: (done: Extract<FoldedRange, { kind: 'committed' }>) => void;
	/** A machine has said what became of a command. */
	answered: (result: CommandResult) => void;
	/** A connection was ended by the hub; one that was let in is of an edge. */
	ended: (why: EndReason, edge: number | undefined) => void;
}

/** A websocket, as far as it is used here. */
export interface EdgeSocket {
	send(data: Uint8Array): void;
	close(code: number, reason: string): void;
}

export interface EdgeConnection {
	/** Undefined until it is let in. */
	readonly edge: number | undefined;
	/** What it said last of how it is. */
	readonly standing: ConnectedEdgeStatus | undefined;
	/** Frames are handled one after the other, in the order in which they came. */
	take(data: Uint8Array): void;
	/** Looks for commands that it was not sent yet. */
	command(): Promise<void>;
	/** For so many ms somebody watches who could decide for it. */
	lease(ms: number): void;
	/** Looks whether it may stay. */
	check(): Promise<void>;
	/** Looks whether all is there that was acknowledged since it last looked, and has the edge send again what is not. */
	lookBack(): Promise<void>;
	end(why: EndReason, reason: string): void;
	closed(): void;
}
