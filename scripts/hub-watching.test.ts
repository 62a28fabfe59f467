import { expect, test } from 'vitest';
import { renderAlertRules, renderDashboard } from './hub-watching.ts';

test('R2086 the dashboard and the rules for alarms are those of the table of metrics', async () => {
	await expect(renderAlertRules()).toMatchFileSnapshot('../deploy/prometheus/alerts.yaml');
	await expect(renderDashboard()).toMatchFileSnapshot('../deploy/grafana/hub.json');
});
