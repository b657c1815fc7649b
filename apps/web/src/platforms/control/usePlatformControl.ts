import { AppError, controlPlatform, type LivePlatform } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { z } from 'zod';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useAlert } from '../../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Command = 'start' | 'stop';
type Body = z.input<typeof controlPlatform.input>['body'];

/** One command to a platform, with what is said when it was done and when it was not. */
export type Order = {
  command: Command;
  platform: LivePlatform;
  body: Omit<Body, 'platformName' | 'platformType'>;
  /** Id of the row that waits. */
  rowId: string;
  done: string;
  /** With `{text}` for what happened, or what makes the sentence of the error. */
  failed: string | ((error: unknown) => string);
};

const nobody: ReadonlySet<string> = new Set();

/** Sends commands to platforms, knows which rows wait for theirs, and says what came of it. */
export function usePlatformControl() {
  const api = useApi();
  const queries = useQueryClient();
  const { alert } = useAlert();
  const { show } = useSnackbar();
  const [busyIds, setBusyIds] = useState(nobody);

  /** Answers whether it was done. */
  const send = useCallback(
    async ({ command, platform, body, rowId, done, failed }: Order): Promise<boolean> => {
      setBusyIds((before) => new Set([...before, rowId]));
      const named = { platformName: platform.name, platformType: platform.type };
      let isDone = false;
      try {
        const { warning } = await api.call(controlPlatform, { query: { command }, body: { ...named, ...body } });
        isDone = true;
        if (warning === null) show(done);
        else show(fill(texts.done.withWarning, { text: done, warning }), 'warning');
      } catch (error) {
        const text = typeof failed === 'string' ? fill(failed, { text: errorText(error) }) : failed(error);
        alert(texts.error, text);
        show(text, 'error');
      }
      // The row waits until it shows what is so.
      await queries.invalidateQueries({ queryKey: ['platforms', 'list'] });
      void queries.invalidateQueries({ queryKey: ['missions'] });
      setBusyIds((before) => new Set([...before].filter((id) => id !== rowId)));
      return isDone;
    },
    [api, queries, alert, show],
  );
  return { busyIds, send };
}

export type PlatformControl = ReturnType<typeof usePlatformControl>;

const missionRefusals: readonly AppError['code'][] = [
  'invalid',
  'missionNameTaken',
  'labelAboveGroup',
  'unknownUsergroup',
  'hidesFromMaker',
  'forbidden',
];

/** A mission that was not taken, or one that could not be recorded. */
export function missionFailure(error: unknown): string {
  const { adding, recording } = texts.errors;
  const isRefused = error instanceof AppError && missionRefusals.includes(error.code);
  return fill(isRefused ? adding : recording, { text: errorText(error) });
}
