import { RejudgePage } from '#components/rejudge/rejudge-page.tsx';

export default function JudgeAgainPage() {
	return <RejudgePage />;
}
