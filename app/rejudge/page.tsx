import { RejudgePage } from '#components/rules/rejudge/rejudge-page.tsx';

export default function JudgeAgainPage() {
	return <RejudgePage />;
}
