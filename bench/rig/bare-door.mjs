/* The least a door can do, to compare ours with: reads the body and answers 200. Prints a line when it is open. */
import http from 'node:http';

http
	.createServer((request, response) => {
		request.on('data', () => undefined).on('end', () => response.end());
	})
	.listen(process.argv[2], () => console.log('open'));
