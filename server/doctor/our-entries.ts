import { isOurHandler } from '../setup/hook-entries.ts';
import { pluginHooks } from '../setup/install-plugin.ts';
import { PLUGIN_ID } from '../setup/plugin/plugin-files.ts';
import { projectFiles } from '../setup/project-settings.ts';
import { readSettingsFile } from '../setup/read-text.ts';
import type { SetUp } from './check.ts';

/** A hook entry of ours in a file that the client reads. */
export interface OurEntry {
	path: string;
	event: string;
	command: string;
	/** Seconds after which the client kills the hook. */
	timeout: number | undefined;
	/** The timeout in seconds that the hook assumes: the last word of its command. */
	assumedTimeout: number | undefined;
	/** As written in the file; empty if there is none. */
	profile: string;
	onFailure: unknown;
	/** The client runs it for some calls only, or does not wait for its answer. */
	isNarrowed: boolean;
}

const PROFILE_AND_TIMEOUT = /\s([\w-]+) (\d+)$/;

/** Our entries in the project's settings, in this machine's, and in the plugin if it is enabled; unreadable files have none. */
export function ourEntries({ project, home }: Pick<SetUp, 'project' | 'home'>): OurEntry[] {
	const { settings, local } = projectFiles(project);
	const own = readSettingsFile(local);
	const hasPlugin = own.ok && own.settings.enabledPlugins?.[PLUGIN_ID] === true;
	return [settings, local, ...(hasPlugin ? [pluginHooks(home)] : [])].flatMap((path) => {
		const read = readSettingsFile(path);
		return Object.entries((read.ok && read.settings.hooks) || {}).flatMap(([event, groups]) =>
			groups.flatMap(({ hooks, matcher }) =>
				hooks.flatMap((handler): OurEntry[] => {
					if (!isOurHandler(handler) || typeof handler.command !== 'string') return [];
					const { command, timeout, onFailure } = handler;
					const [, profile = '', assumedTimeout] = PROFILE_AND_TIMEOUT.exec(command) ?? [];
					return [
						{
							path,
							event,
							command,
							timeout: typeof timeout === 'number' ? timeout : undefined,
							assumedTimeout: assumedTimeout === undefined ? undefined : Number(assumedTimeout),
							profile,
							onFailure,
							isNarrowed: isNarrowed(handler, matcher, profile),
						},
					];
				}),
			),
		);
	});
}

/** Complete is an entry for all calls, or under `closed` for those of Bash; the supervisor's may be for fewer. */
function isNarrowed(handler: object, matcher: string | undefined, profile: string | undefined): boolean {
	if (('async' in handler && handler.async === true) || 'if' in handler) return true;
	if (profile === 'supervisor') return false;
	return profile === 'closed' ? matcher !== 'Bash' : !['', '*'].includes(matcher ?? '');
}
