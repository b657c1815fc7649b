import { constants, setPriority } from 'node:os';
import { simulateToFile } from '@osprey/simulator';

// Runs as a separate process, so that drawing thousands of pictures delays no request.
const [path, options] = process.argv.slice(2);
if (path === undefined || options === undefined) throw new Error('fly.ts needs a path and options');
setPriority(constants.priority.PRIORITY_LOW);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort(new Error('Stopped')));
// The server has exited, so this flight is no longer needed.
process.once('disconnect', () => stop.abort(new Error('Stopped')));
await simulateToFile(JSON.parse(options), path, { signal: stop.signal });
process.disconnect?.();
