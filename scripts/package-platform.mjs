const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

/**
 * What a package of binaries says about itself in its name: `@next/swc-linux-arm64-musl` is
 * `{ os: ['linux'], cpu: ['arm64'], libc: ['musl'] }`. Keys are absent where the name says nothing.
 *
 * @param {string} name
 * @returns {{ os?: string[], cpu?: string[], libc?: string[] }}
 */
export function platformOf(name) {
	const words = name.split(/[-/]/);
	const system = words.find((word) => SYSTEMS.includes(word));
	const processor = words.find((word) => PROCESSORS.includes(word));
	const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
	return {
		...(processor && { cpu: [processor] }),
		...(system === 'linux' && words.some((word) => /^(musl|gnu)/.test(word)) && { libc: [libc] }),
		...(system && { os: [system] }),
	};
}
