import { rootFingerprint } from '../edge/hello-proof.ts';
import type { HubIdentity } from './hub-key.ts';

/** What is run on a machine, in the project to be shared, so that it joins the hub at `url`. */
export const joinLine = (url: string, { root }: HubIdentity, code: string): string =>
	`signalbox join ${url} '${code}#${rootFingerprint(root)}'`;
