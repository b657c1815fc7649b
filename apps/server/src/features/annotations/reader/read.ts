import type { AnnotationFeature, ImportedAnnotations, ImportRemark } from '@osprey/contract';
import { verticesIn } from '../levels.ts';
import { readArchive } from './archive.ts';
import { BadFile } from './bad-file.ts';
import { inParts, simplified } from './fit.ts';
import { gathering } from './gather.ts';
import { readGeoJson } from './geojson.ts';
import { readGpx } from './gpx.ts';
import { readKml } from './kml.ts';

/**
 * Content of a file, in as few annotations as possible. `simplify`: in one, with fewer positions.
 *
 * @throws BadFile, AppError badArchive
 */
export async function readAnnotations(bytes: Buffer, simplify: boolean): Promise<ImportedAnnotations> {
  const into = gathering();
  const format = await readInto(bytes, into);
  const { features, remarks, moreRemarks, label } = into.found();
  const parts = simplify ? [simplified(features)].filter(({ length }) => length > 0) : inParts(features);
  const said: ImportRemark[] = [...remarks];
  const kept = parts.reduce((sum, part) => sum + part.length, 0);
  if (kept < features.length) {
    said.push({
      feature: null,
      name: '',
      reason: `${features.length - kept} features are more than one annotation may hold.`,
    });
  }
  const titleOf = (index: number) => (parts.length === 1 ? '' : `Part ${index + 1}`);
  return {
    format,
    ...(label && { securityClassification: label }),
    parts: parts.map((part, index) => ({ title: titleOf(index), features: part })),
    remarks: said,
    moreRemarks,
    vertices: verticesIn(features),
    keptVertices: parts.reduce((sum, part) => sum + verticesIn(part as AnnotationFeature[]), 0),
  };
}

async function readInto(bytes: Buffer, into: ReturnType<typeof gathering>): Promise<ImportedAnnotations['format']> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readArchive(bytes, into);
  const text = textOf(bytes);
  const begins = text.trimStart().slice(0, 4096);
  if (!begins.startsWith('<')) {
    readGeoJson(text, into);
    return 'geojson';
  }
  if (/<(?:\w+:)?gpx[\s>]/i.test(begins)) {
    readGpx(text, into);
    return 'gpx';
  }
  if (/<(?:\w+:)?kml[\s>]/i.test(begins) || /<Placemark[\s>]/.test(begins)) {
    readKml(text, into);
    return 'kml';
  }
  throw new BadFile('it is neither GeoJSON, KML nor GPX');
}

/** UTF-16 by its mark, else UTF-8, which all these formats are written in. */
function textOf(bytes: Buffer): string {
  const label =
    bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    // Old programs write XML in the code page of their machine, and say so in its first line.
    const named = /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1];
    if (named && /^(?:iso-8859-\d+|windows-125\d)$/i.test(named)) return new TextDecoder(named).decode(bytes);
    throw new BadFile('its text is not written in UTF-8');
  }
}
