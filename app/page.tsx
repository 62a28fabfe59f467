export default function HomePage() {
	return (
		<main>
			<h1>Signalbox</h1>
		</main>
	);
}
