import type { AnnotationFeature, ImportedAnnotations, ImportRemark } from '@osprey/contract';
import { verticesIn } from '../levels.ts';
import { readArchive } from './archive.ts';
import { inParts, simplified } from './fit.ts';
import { gathering } from './gather.ts';
import { readText } from './text.ts';

/**
 * Reads the content of a file into as few annotations as possible. With `simplify`, it becomes a single one with fewer
 * positions.
 *
 * @throws BadFile, AppError badArchive
 */
export async function readAnnotations(bytes: Buffer, simplify: boolean): Promise<ImportedAnnotations> {
  const into = gathering();
  const format = await readInto(bytes, into);
  const { features, remarks, moreRemarks, label } = into.found();
  const parts = simplify ? [simplified(features)].filter(({ length }) => length > 0) : inParts(features);
  const allRemarks: ImportRemark[] = [...remarks];
  const retained = parts.reduce((sum, part) => sum + part.length, 0);
  if (retained < features.length) {
    allRemarks.push({
      feature: null,
      name: '',
      reason: `${features.length - retained} features are more than one annotation may hold.`,
    });
  }
  const titleOf = (index: number) => (parts.length === 1 ? '' : `Part ${index + 1}`);
  return {
    format,
    ...(label && { securityClassification: label }),
    parts: parts.map((part, index) => ({ title: titleOf(index), features: part })),
    remarks: allRemarks,
    moreRemarks,
    vertices: verticesIn(features),
    keptVertices: parts.reduce((sum, part) => sum + verticesIn(part as AnnotationFeature[]), 0),
  };
}

const readInto = async (bytes: Buffer, into: ReturnType<typeof gathering>): Promise<ImportedAnnotations['format']> =>
  bytes[0] === 0x50 && bytes[1] === 0x4b ? readArchive(bytes, into) : readText(bytes, into);
