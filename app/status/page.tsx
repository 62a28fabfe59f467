import { StatusPage } from '#components/status/status-page.tsx';

export default function HealthPage() {
	return <StatusPage />;
}
