import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import {
  type Actor,
  ANNOTATION_FILE_MAX,
  AppError,
  type ImportedAnnotations,
  importedAnnotations,
} from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DecoderError } from '../../base/ffmpeg/ffmpeg.ts';
import type { RunScript } from '../../base/ffmpeg/script.ts';
import type { Storage } from '../../base/storage/storage.ts';
import type { Admission } from '../../uploads/admission.ts';
import { runOut } from '../../uploads/run-out.ts';

const SCRIPT = resolve(import.meta.dirname, 'reader/child.ts');
const READ_MS = 20_000;
/** Maximum output of the child process, in bytes: the annotations of the largest file, as JSON. */
const PRINTED_MAX = 96 * 1024 * 1024;

const printed = z.union([z.object({ found: importedAnnotations }), z.object({ refused: z.string() })]);

export type AnnotationImport = ReturnType<typeof annotationImport>;

export type AnnotationImportDeps = { storage: Storage; admission: Admission; runScript: RunScript };

/** Imports shapes from uploaded files, which are read in a child process. The files are not kept. */
export function annotationImport({ storage, admission, runScript }: AnnotationImportDeps) {
  /** @throws AppError invalid, bodyTooLarge, emptyFile, badFile, diskFull, quotaReached */
  async function read(actor: Actor, request: FastifyRequest, simplify: boolean): Promise<ImportedAnnotations> {
    if (!request.isMultipart()) throw new AppError('invalid', { body: 'Send the file as a multipart form' });
    await admission.check({ userId: actor.id, bytes: Number(request.headers['content-length'] ?? 0) });
    const key = `uploads/${randomUUID()}.part`;
    try {
      await receiveInto(request, key);
      return await readFile(key, simplify);
    } catch (error) {
      runOut(request);
      throw error;
    } finally {
      await storage.remove(key);
    }
  }

  async function receiveInto(request: FastifyRequest, key: string): Promise<void> {
    const limits = { files: 1, fields: 0, fileSize: ANNOTATION_FILE_MAX };
    const part = await request.file({ limits }).catch((cause: unknown) => {
      throw new AppError('invalid', { file: 'The form holds more than one file' }, cause);
    });
    if (part === undefined) throw new AppError('invalid', { file: 'The form holds no file' });
    const file = await storage.append(key);
    try {
      for await (const bytes of part.file.iterator({ destroyOnReturn: false })) await file.write(bytes as Uint8Array);
    } finally {
      await file.close();
    }
    if (part.file.truncated) throw new AppError('bodyTooLarge');
    if (file.sizeBytes() === 0) throw new AppError('emptyFile');
  }

  async function readFile(key: string, simplify: boolean): Promise<ImportedAnnotations> {
    const args = [simplify ? 'simplify' : 'parts'];
    try {
      const bytes = await runScript({
        script: SCRIPT,
        args,
        path: storage.path(key),
        wallMs: READ_MS,
        maxBytes: PRINTED_MAX,
      });
      const answer = printed.parse(JSON.parse(bytes.toString('utf8')));
      if ('found' in answer) return answer.found;
      throw new AppError('badFile', { reason: answer.refused });
    } catch (error) {
      if (error instanceof DecoderError) throw new AppError('badFile', { reason: error.message }, error);
      throw error;
    }
  }

  return { read };
}
