/**
 * The tests of one runner's JSON report. A run that failed without a failing test (a file that does not load, a server
 * that does not start) counts as one failure, so that no failure is ever counted as none.
 *
 * @param {object | undefined} report What vitest or Playwright wrote; undefined when it wrote nothing.
 * @param {number} exitCode The runner's exit code.
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function countTests(report, exitCode) {
	const counts = report?.stats ? countPlaywright(report.stats) : countVitest(report ?? {});
	if (exitCode !== 0 && counts.failed === 0) return { ...counts, failed: 1 };
	return counts;
}

function countVitest({ numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 }) {
	return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

function countPlaywright({ expected = 0, unexpected = 0, flaky = 0, skipped = 0 }) {
	return { passed: expected + flaky, failed: unexpected, skipped };
}

/**
 * The names of the tests that one vitest report tells as skipped: what they need is not on this machine.
 *
 * @param {object | undefined} report What vitest wrote; of another runner's report there are none.
 * @returns {string[]}
 */
export function skippedTests(report) {
	const tests = (report?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults);
	return tests.filter(({ status }) => status !== 'passed' && status !== 'failed').map(({ fullName }) => fullName);
}
