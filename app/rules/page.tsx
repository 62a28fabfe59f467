import { RulesPage } from '#components/rules/rules-page.tsx';

export default function RuleTablePage() {
	return <RulesPage />;
}
