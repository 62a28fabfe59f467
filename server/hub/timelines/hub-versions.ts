import { HUB_WIRE } from '#lib/contract/hub/hub-wire.ts';
import { FOLD } from './load-session.ts';

/** What a replica speaks with its edges, and which fold makes rows and views of their lines. */
export interface HubVersions {
	wire: number;
	fold: number;
}

/** Of this program. */
export const HUB_VERSIONS: HubVersions = { wire: HUB_WIRE, fold: FOLD };

/** Why a hub does not speak with an edge of this wire; undefined where it does. Hubs are upgraded first (HUB 4). */
export function whyNotSpoken(edge: number, hub: number): string | undefined {
	if (edge > hub) return `it speaks wire ${edge}, and this hub ${hub}: upgrade the hub`;
	if (edge < hub - 1) return `it speaks wire ${edge}, and this hub ${hub}: upgrade Signalbox on the machine`;
	return undefined;
}
