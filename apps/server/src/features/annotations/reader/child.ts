import { fstatSync } from 'node:fs';
import { ANNOTATION_FILE_MAX, type ImportedAnnotations } from '@osprey/contract';
import { BadFile } from '../../../base/formats/bad-file.ts';
import { readDescriptor } from '../../../base/storage/read-descriptor.ts';
import { readAnnotations } from './read.ts';

/** File descriptor opened for reading by the parent process. */
const FILE = 3;

/** Output of the child process: the annotations found, or the reason why the file is refused. */
type Printed = { found: ImportedAnnotations } | { refused: string };

/**
 * Prints the features of the file as JSON. It runs in a child process, since its input may be crafted to attack the
 * parser. With `simplify`, it prints one part with fewer positions instead of several parts.
 */
async function main([task]: readonly string[]): Promise<void> {
  try {
    print({ found: await readAnnotations(readAll(), task === 'simplify') });
  } catch (error) {
    const isKnown = error instanceof BadFile || (error instanceof Error && error.name === 'AppError');
    if (!isKnown) throw error;
    const { values } = error as { values?: { reason?: string } };
    print({ refused: values?.reason ?? (error as Error).message });
  }
}

function readAll(): Buffer {
  const { size } = fstatSync(FILE);
  if (size > ANNOTATION_FILE_MAX) throw new BadFile('it is too large');
  return readDescriptor(FILE, size);
}

/** Exits once all output is written, so that open handles of a library do not keep the process alive. */
function print(printed: Printed): void {
  process.stdout.write(JSON.stringify(printed), () => process.exit(0));
}

await main(process.argv.slice(2));
