import type { CommandResult } from '#lib/contract/hub/hub-wire.ts';
import type { HubSessionName } from '#lib/ids/session-name.ts';
import type { Log } from '../../process/log.ts';
import type { HubSession, HubStore } from '../../timeline/store/hub-store.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { TicketStore } from '../decisions/ticket-store.ts';
import type { Withdrawal } from '../decisions/withdrawal.ts';
import type { FeatureKeeping } from '../features/feature-store.ts';
import type { Hints } from '../hints/hints.ts';
import type { CommandStore } from '../machines/command-store.ts';
import type { ConnectedEdgeStatus, EdgeStore } from '../machines/edge-store.ts';
import type { EndReason } from '../metrics/hub-meters.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';
import type { EdgeRateLimits } from '../timelines/edge-rate-limits.ts';
import type { FoldedRange } from '../timelines/range-fold.ts';
import type { RangeWriter } from '../timelines/range-writer.ts';

export interface HubParts {
	identity: HubIdentity;
	wire: number;
	store: HubStore;
	open: (name: HubSessionName) => Promise<HubSession>;
	edges: EdgeStore;
	journals: EdgeJournalStore;
	commands: CommandStore;
	withdraw: Withdrawal;
	tickets: Pick<TicketStore, 'told'>;
	hints: Pick<Hints, 'tell'>;
	writer: RangeWriter;
	paces: EdgeRateLimits;
	/** Undefined: accepted. Else the seconds within which the machine is to retry. */
	admit: () => number | undefined;
	features: FeatureKeeping;
	log: Log;
	now: () => number;
	/** Ends another connection of this edge; true if the two take turns too often. */
	arrived: (edge: number, connection: EdgeConnection) => boolean;
	committed: (done: Extract<FoldedRange, { kind: 'committed' }>) => void;
	answered: (result: CommandResult) => void;
	ended: (why: EndReason, edge: number | undefined) => void;
}

export interface EdgeSocket {
	send(data: Uint8Array): void;
	close(code: number, reason: string): void;
}

export interface EdgeConnection {
	readonly edge: number | undefined;
	readonly standing: ConnectedEdgeStatus | undefined;
	take(data: Uint8Array): void;
	command(): Promise<void>;
	lease(ms: number): void;
	check(): Promise<void>;
	/** Has the edge send again what the database lost after acknowledging it. */
	lookBack(): Promise<void>;
	end(why: EndReason, reason: string): void;
	closed(): void;
}
