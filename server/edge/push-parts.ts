import type * as z from 'zod';
import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { edgeFrames } from '#lib/contract/hub/hub-wire.ts';
import type { EdgeJournal } from './edge-journal.ts';
import type { HubLease } from './hub-lease.ts';
import type { SharedFeatures } from './shared-features.ts';
import type { SharedSessions } from './shared-sessions.ts';
import type { CommandTaker } from './take-commands.ts';

/** What an edge knows of itself and reads from; `keepCounter` has what it is given on the disk when it returns. */
export interface PushParts {
	edge: number;
	origin: string;
	version: string;
	/** What it speaks. */
	wire: number;
	content: 'all' | 'shape';
	privateKey: string;
	shared: SharedSessions;
	features: SharedFeatures;
	journal: EdgeJournal;
	commands: CommandTaker;
	tickets: { told(): z.input<typeof edgeFrames.ticket> };
	lease: HubLease;
	/** What its owner lets people decide from the hub, now. */
	level: () => EdgeLevel;
	counter: () => number;
	keepCounter: (count: number) => void;
	now: () => number;
}

/** One connection to a hub, without its websocket: frames come and go. */
export interface PushConnection {
	/** Takes a frame of the hub; gives why it cannot be gone on with, else null. */
	take(data: Uint8Array): string | null;
	/** Something was appended to the session. */
	poke(sessionId: string): void;
	/** Something may have come to wait here, or waits no more. */
	tellTickets(): void;
	/** Tells of archived features that are new or have changed. */
	tellFeatures(): Promise<void>;
	/** It is let in. */
	readonly welcomed: boolean;
	/** Bytes of shared sessions that the hub does not have yet, as far as was looked. */
	behind(): number;
	status(): void;
	/** It has ended: what is still being done is told over the next one, and nothing is read for this one any more. */
	stop(): void;
	/**
	 * Asks whether what the hub has acknowledged is on its disk: this is behind until it has said so. False where there is
	 * nothing to ask of.
	 */
	confirm(): boolean;
}
