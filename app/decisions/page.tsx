import { DecisionsPage } from '#components/decisions/decisions-page.tsx';

export default function LedgerPage() {
	return <DecisionsPage />;
}
