export { RejudgePage as default } from '#components/rules/rejudge/rejudge-page.tsx';
