import { rootFingerprint } from '../../edge/hello-proof.ts';
import { shellWord } from '../../process/program-name.ts';
import type { HubIdentity } from '../database/hub-key.ts';

/** What is run on a machine, in the project to be shared, so that it joins the hub: shells read it as it stands. */
export const joinLine = ({ root }: HubIdentity, code: string): string =>
	`signalbox join ${shellWord(root.origin)} '${code}#${rootFingerprint(root)}'`;
