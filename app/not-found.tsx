export default function NotFound() {
	return (
		<main>
			<h1>There is nothing here</h1>
		</main>
	);
}
