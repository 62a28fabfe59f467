import type { AgentHook } from '#lib/agents/agent-hook.ts';
import { FIRST_AGENT } from '#lib/agents/agent-table.ts';
import type { Settings } from '#lib/settings/settings.ts';
import {
	applySwitch,
	limitsOf,
	readCccSettings,
	type SupervisorAction,
	type SupervisorLimits,
	type SupervisorState,
} from '#lib/supervisor/state.ts';
import { readBounded } from '../disk/bounded-read.ts';
import { findSettings } from '../engine/facts.ts';
import { seal } from '../engine/record.ts';
import type { Ports } from '../ports/ports.ts';
import { cccFile, changeSupervisor, readSupervisor, type SupervisorFolder } from './state-store.ts';

export interface SupervisorService {
	sessionId: string;
	place: SupervisorFolder;
	/** The project's folder; empty if it is not known. */
	project: string;
	ports: Ports;
}

export interface SupervisorStatus {
	state: SupervisorState;
	limits: SupervisorLimits;
}

/** How often and how long reviews may run: our settings first, then ccc's. */
export function supervisorLimits(folder: SupervisorFolder, settings: Settings): SupervisorLimits {
	const ccc = readBounded(cccFile(folder));
	return limitsOf(settings.supervisor, ccc.ok ? readCccSettings(ccc.text) : {});
}

export function supervisorStatus({ sessionId, place, project, ports }: SupervisorService): SupervisorStatus {
	const settings = findSettings(project, ports);
	const state = readSupervisor(place, sessionId, ports.now(), settings);
	return { state, limits: supervisorLimits(place, settings) };
}

/** Switches it on or off, or resets the count, and records that. Throws if the state file cannot be written or locked. */
export function switchSupervisor(
	service: SupervisorService,
	action: SupervisorAction,
	requestId: string,
	waitMs?: number,
): SupervisorStatus {
	const { sessionId, place, project, ports } = service;
	const settings = findSettings(project, ports);
	const now = ports.now();
	const read = (): SupervisorState => readSupervisor(place, sessionId, now, settings);
	const change = (state: SupervisorState): SupervisorState => applySwitch(state, action, new Date(now).toISOString());
	const state = changeSupervisor(place, read, change, waitMs);
	const { enabled, count } = state;
	const hook: AgentHook = { agent: FIRST_AGENT, at: 'other', name: '', sessionId, raw: {} };
	const run = { requestId, profile: 'observe' } as const;
	ports.append(sessionId, seal([{ type: 'supervisor:switch', action, enabled, count }], hook, run, ports));
	return { state, limits: supervisorLimits(place, settings) };
}
