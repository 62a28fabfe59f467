import { ComparePage } from '#components/compare/compare-page.tsx';

export default function CompareRunsPage() {
	return <ComparePage />;
}
