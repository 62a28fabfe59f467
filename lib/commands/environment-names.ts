/** By convention a folder: one word, though not one that the line tells. */
const FOLDER =
	/^(?:HOME|PWD|OLDPWD|TMPDIR|VIRTUAL_ENV|GITHUB_WORKSPACE|GOPATH|GOBIN|BUN_INSTALL|[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:HOME|DIR|ROOT|PREFIX))$/;

/** By convention a program that the person chose; a shell is none of these. */
const PROGRAM = /^(?:NODE|NPM|NPX|PYTHON[23]?|PIP[23]?|CC|CXX|LD|AR|MAKE|CMAKE|GO|CARGO|RUSTC|JAVA|RUBY|PHP|PERL)$/;

/** Whether an environment surely holds a folder under this name, so that a word of it never vanishes. */
export function isAlwaysFolder(name: string): boolean {
	return name === 'HOME' || name === 'PWD';
}

/** Whether an environment holds a folder under this name. */
export function namesFolder(name: string): boolean {
	return FOLDER.test(name);
}

/** Whether an environment holds a program under this name: `$NODE x.js`. */
export function namesProgram(name: string): boolean {
	return PROGRAM.test(name);
}
