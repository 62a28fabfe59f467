import type { CiMaker } from '#lib/hub/ci-claims.ts';
import type { Ask } from '../database/database.ts';
import type { JoinedEdge } from './edge-store.ts';

/** Jobs of which repository join a team: by tokens of this issuer that are meant for this audience. */
export interface CiRule {
	id: number;
	teamId: number;
	team: string;
	maker: CiMaker;
	issuer: string;
	audience: string;
	/** Its path in lower case, or its number. */
	repository: string;
}

/** What a token that was checked says. */
export interface CiToken {
	rule: CiRule;
	/** By this it is known again: the issuer's number of it, since a signature may be written in more than one way. */
	hash: string;
	/** When it ends (s since 1970). */
	until: number;
}

/** Of a token nobody takes any more, so long after its end: whoever checks it may have another time. */
const LEEWAY = "interval '1 hour'";

/** The rules by which jobs join a hub, and what they joined by. */
export function createCiRules(ask: Ask) {
	const SELECT =
		'SELECT r.id, t.id AS "teamId", t.name AS team, r.maker, r.issuer, r.audience, r.repository FROM ci_rules r JOIN teams t ON t.id = r.team';
	return {
		list: () => ask<CiRule>(`${SELECT} ORDER BY r.id`),
		of: (issuer: string) => ask<CiRule>(`${SELECT} WHERE r.issuer = $1 ORDER BY r.id`, [issuer]),
		/** Makes a rule and its team where they are not there; a repository's jobs join one team, the last that was named. */
		async add(rule: Omit<CiRule, 'id' | 'teamId'>): Promise<Pick<CiRule, 'id' | 'teamId'>> {
			const { team, maker, issuer, audience, repository } = rule;
			const [made] = await ask<Pick<CiRule, 'id' | 'teamId'>>(
				`WITH t AS (INSERT INTO teams (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id)
				INSERT INTO ci_rules (team, maker, issuer, audience, repository) SELECT t.id, $2, $3, $4, $5 FROM t
				ON CONFLICT (issuer, audience, repository) DO UPDATE SET team = excluded.team, maker = excluded.maker
				RETURNING id, team AS "teamId"`,
				[team, maker, issuer, audience, repository.toLowerCase()],
			);
			if (!made) throw new Error('A rule that was just made is not there.');
			return made;
		},
		/** From now on nobody joins by it; says whether there was one. */
		async remove(id: number): Promise<boolean> {
			return (await ask('DELETE FROM ci_rules WHERE id = $1 RETURNING id', [id])).length > 0;
		},
		/**
		 * Makes a job's machine an ephemeral edge, once for each token; undefined where the token has been used, or the rule is
		 * gone.
		 */
		async join(
			{ rule, hash, until }: CiToken,
			{ key, name }: { key: string; name: string },
		): Promise<JoinedEdge | undefined> {
			await ask(`DELETE FROM ci_tokens WHERE until < now() - ${LEEWAY}`);
			const [made] = await ask<JoinedEdge>(
				`WITH spent AS (
					INSERT INTO ci_tokens (hash, until) VALUES ($1, to_timestamp($2)) ON CONFLICT DO NOTHING RETURNING hash
				), e AS (
					INSERT INTO edges (team, name, pubkey, labels, ephemeral)
					SELECT r.team, $4, $5, $6, true FROM ci_rules r, spent WHERE r.id = $3 RETURNING id, team
				) SELECT e.id AS edge, t.name AS team, false AS pending FROM e JOIN teams t ON t.id = e.team`,
				[hash, until, rule.id, name, key, ['ci', rule.repository]],
			);
			return made;
		},
	};
}

export type CiRules = ReturnType<typeof createCiRules>;
