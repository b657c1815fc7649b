import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect } from 'vitest';
import { itWithData, testData } from '../../../../../../tools/test-support/test-data.ts';
import { BadFile } from '../../../base/formats/bad-file.ts';
import expected from './files.expected.json' with { type: 'json' };
import { readAnnotations } from './read.ts';

const FOLDERS = ['geojson', 'gpx', 'bad/json', 'bad/geo'];

/** Features and positions that were taken and, for the rest, which feature and why; or why the file is refused. */
async function outcomeOf(path: string): Promise<string> {
  try {
    const { format, parts, vertices, keptVertices, remarks, moreRemarks } = await readAnnotations(
      readFileSync(path),
      false,
    );
    const features = parts.map((part) => part.features.length).join(' + ') || '0';
    const retained = keptVertices === vertices ? '' : ` of ${vertices}`;
    const left = remarks.map(({ feature, reason }) => `${feature}: ${reason}`);
    const more = moreRemarks > 0 ? [`${moreRemarks} more`] : [];
    return [`${format}, features ${features}, positions ${keptVertices}${retained}`, ...left, ...more].join('; ');
  } catch (error) {
    if (error instanceof BadFile) return `refused: ${error.message}`;
    throw error;
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(testData(folder), { recursive: true })
    .map((name) => join(testData(folder), String(name)))
    .filter((path) => /\.(?:geojson|json|gpx|xml)$/.test(path) && statSync(path).isFile())
    .sort();
}

describe('every GeoJSON and GPX file of the test data', () => {
  itWithData('has the outcome of the table, and is in it', async () => {
    const outcomes: Record<string, string> = {};
    for (const path of FOLDERS.flatMap(filesBelow)) outcomes[relative(testData('.'), path)] = await outcomeOf(path);
    expect(outcomes).toEqual(expected);
  });
});
