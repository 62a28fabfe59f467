import { RulesHere } from '#components/rules/rules-here.tsx';

export default function RuleTablePage() {
	return <RulesHere />;
}
