/** The build of an older commit that `--against` has made; undefined without one. */
export function olderBuild(): { folder: string; commit: string } | undefined {
	const { SIGNALBOX_BENCH_OLDER: folder, SIGNALBOX_BENCH_COMMIT: commit } = process.env;
	return folder && commit ? { folder, commit } : undefined;
}
