import type { NextConfig } from 'next';

const config: NextConfig = {
	reactStrictMode: true,
	poweredByHeader: false,
	// `next dev` would otherwise write an AGENTS.md into the repository.
	agentRules: false,
	typedRoutes: true,
	// `npm run check:types` checks the whole project; the build would only do it a second time.
	typescript: { ignoreBuildErrors: true },
	images: { unoptimized: true },
	// A stray lock file in a parent folder would otherwise make Next take that folder for the root.
	turbopack: { root: import.meta.dirname },
	experimental: {
		// A clone that is only run is built once, and the cache for a second build takes a sixth of the first one's time.
		turbopackFileSystemCacheForBuild: process.env.SIGNALBOX_BUILD_ONCE !== '1',
		// A page's code is loaded when it is first opened: all of it at each start is a tenth of the start.
		preloadEntriesOnStart: false,
	},
};

export default config;
