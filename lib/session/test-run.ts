const RUNNERS = /\b(?:test|tests|vitest|jest|mocha|pytest|unittest|rspec|phpunit|ctest|nextest|playwright)\b/;

/** Whether a command line runs tests, so that its last line says how they went. */
export const isTestRun = (line: string): boolean => RUNNERS.test(line);
