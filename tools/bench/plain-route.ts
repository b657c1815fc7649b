import { createServer } from 'node:http';
import pg from 'pg';

// The route to compare with: runs one SQL statement without checking rights and returns its rows as JSON, over bare
// node:http. Body: { statement, values }.
const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: 4 });

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { statement, values } = JSON.parse(Buffer.concat(parts).toString()) as { statement: string; values: unknown[] };
  const { rows } = await pool.query(statement, values);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(rows));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as { port: number }).port));
