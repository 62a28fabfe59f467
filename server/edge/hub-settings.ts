import type { Settings } from '#lib/settings/settings.ts';

/** What `config.json` and the hub's policy let people do from there, whatever the level is. */
export type HubSettings = Pick<Settings, 'hubMayDecide' | 'hubMayGrant' | 'hubNeverRemote'>;
