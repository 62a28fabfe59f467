export { ApprovalsPage as default } from '#components/approvals/approvals-page.tsx';
