import { join } from 'node:path';
import { readAuditSettings } from '#lib/audit/audit-settings.ts';
import { openJournalSigner } from '../timeline/store/journal-signer.ts';
import type { Anchor } from './anchors/anchor.ts';
import { createGitAnchor } from './anchors/git-anchor.ts';
import { createHostAnchor } from './anchors/host-anchor.ts';
import { createStampAnchor, readCertificates } from './anchors/stamp-anchor.ts';

/** The anchors that `audit.anchors` of a parsed `config.json` names, and what was ignored there. */
export function openAnchors(
	config: unknown,
	home: string,
	env: Readonly<Record<string, string | undefined>>,
): { anchors: Anchor[]; problems: string[] } {
	const { anchors: wanted, problems } = readAuditSettings(config);
	const anchors = wanted.flatMap((one): Anchor[] => {
		if (one.kind === 'git') {
			const { repository, remote } = one;
			const signer = openJournalSigner(join(home, 'journal.db')).name;
			return [createGitAnchor({ repository, signer, ...(remote !== undefined && { remote }) })];
		}
		if (one.kind === 'rfc3161') {
			const { url, certificate, everyMinutes } = one;
			try {
				return [
					createStampAnchor({ url, certificates: readCertificates(certificate), home, everyMs: everyMinutes * 60_000 }),
				];
			} catch (error) {
				problems.push(`audit.anchors.${one.name}: ${error instanceof Error ? error.message : error}; it is left out`);
				return [];
			}
		}
		const token = one.tokenEnv === undefined ? undefined : env[one.tokenEnv];
		if (one.tokenEnv !== undefined && !token) {
			problems.push(`audit.anchors.${one.name}: ${one.tokenEnv} is not set; it is left out`);
			return [];
		}
		return [createHostAnchor({ url: one.url, ...(token && { token }) })];
	});
	return { anchors, problems };
}
