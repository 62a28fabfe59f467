/** Who makes the tokens of CI jobs, as far as their claims differ. */
export type CiMaker = 'github' | 'gitlab';

/** Where each makes them by default, and which claims name a job's repository: by its path and by its number. */
export const CI_MAKERS: Readonly<Record<CiMaker, { issuer: string; path: string; number: string }>> = {
	github: {
		issuer: 'https://token.actions.githubusercontent.com',
		path: 'repository',
		number: 'repository_id',
	},
	gitlab: { issuer: 'https://gitlab.com', path: 'project_path', number: 'project_id' },
};

/**
 * Whether a job with these claims is one of the repository, which is named by its path in lower case or by its number. A
 * path may be another repository's one day, once the first was renamed or removed; a number never is.
 */
export function isJobOf(claims: Readonly<Record<string, unknown>>, maker: CiMaker, repository: string): boolean {
	const { path, number } = CI_MAKERS[maker];
	const named = claims[/^\d+$/.test(repository) ? number : path];
	return typeof named === 'string' && named.toLowerCase() === repository;
}

/** How the job's repository is called by itself, for those who are told that it may not come in. */
export function repositoryOf(claims: Readonly<Record<string, unknown>>): string {
	const named = Object.values(CI_MAKERS).map(({ path }) => claims[path]);
	return named.find((one) => typeof one === 'string') ?? 'no repository';
}
