/**
 * Packages that ask for a newer Node than they need, by their place in the lock: their authors no longer test the older
 * one, and our tests do (docs/decisions/0039). npm has no setting for it, and would warn at every installation of a clone.
 */
const TESTED_BY_US = ['node_modules/@photostructure/sqlite'];

/**
 * The lock in which these packages ask for the Node that the repository asks for.
 *
 * @param {{ packages: Record<string, { engines?: { node?: string } }> }} lock
 */
export function setTestedEngines(lock) {
	for (const place of TESTED_BY_US) lock.packages[place].engines = { ...lock.packages[''].engines };
	return lock;
}
