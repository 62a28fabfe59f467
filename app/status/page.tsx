import { StatusPage } from '#components/health/status-page.tsx';

export default function HealthPage() {
	return <StatusPage />;
}
