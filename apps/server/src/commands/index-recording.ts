import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { folderStorage } from '../base/storage/folder.ts';
import { putJson, toStoredSegments } from '../media/index/file-index.ts';
import { readStream } from '../media/index/stream-pass.ts';

// Reads one recording as ingest does, and prints its findings and resource use as one line of JSON.
const [path, folder] = process.argv.slice(2);
if (path === undefined || folder === undefined) {
  process.stderr.write('index-recording.ts FILE.ts FOLDER: writes the indexes of a recording into a folder\n');
  process.exit(2);
}
const begun = performance.now();
const storage = folderStorage({ root: folder });
const file = await open(path);
const sizeBytes = (await file.stat()).size;
const telemetry = await storage.append(`indexes/${randomUUID()}.telemetry`);
const survey = await readStream({
  source: {
    sizeBytes,
    read: async (buffer, position) => (await file.read(buffer, 0, buffer.byteLength, position)).bytesRead,
    close: () => file.close(),
  },
  writeIndex: telemetry.write,
  nowUs: Date.now() * 1000,
});
if (survey.segments) await putJson(storage, `indexes/${randomUUID()}.json`, toStoredSegments(survey.segments));
await telemetry.close();
await file.close();
process.stdout.write(
  `${JSON.stringify({
    bytes: sizeBytes,
    segments: survey.segments?.segments.length ?? 0,
    records: survey.records,
    milliseconds: Math.round(performance.now() - begun),
    peakKiB: process.resourceUsage().maxRSS,
  })}\n`,
);
