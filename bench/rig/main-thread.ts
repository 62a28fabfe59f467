import type { Page } from '@playwright/test';

/** Processor time (ms) that a page's main thread spent since its clock was started, in all and of that on what. */
export interface MainThreadTime {
	all: number;
	/** Layouts that a script forces are in both. */
	script: number;
	layout: number;
	style: number;
}

/** Starts the clock; the returned function reads it. Other programs on the machine are not in these times. */
export async function startMainThreadClock(page: Page): Promise<() => Promise<MainThreadTime>> {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
	const read = async () => {
		const { metrics } = await cdp.send('Performance.getMetrics');
		const of = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000;
		return [of('TaskDuration'), of('ScriptDuration'), of('LayoutDuration'), of('RecalcStyleDuration')] as const;
	};
	const [all, script, layout, style] = await read();
	return async () => {
		const [allNow, scriptNow, layoutNow, styleNow] = await read();
		return { all: allNow - all, script: scriptNow - script, layout: layoutNow - layout, style: styleNow - style };
	};
}
