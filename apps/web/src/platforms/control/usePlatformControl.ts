import { AppError, controlPlatform, type LivePlatform, type PlatformControlled } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router';
import type { z } from 'zod';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useAlert } from '../../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Command = 'start' | 'stop';
type Body = z.input<typeof controlPlatform.input>['body'];

/** One command to a platform, with the messages for success and failure. */
export type Order = {
  command: Command;
  platform: LivePlatform;
  body: Omit<Body, 'platformName' | 'platformType'>;
  /** Id of the row that is busy during the command. */
  rowId: string;
  /** Message for success, or a function that makes it from the answer. */
  done: string | ((answer: PlatformControlled) => string);
  /** The message contains a link to the mission. */
  leads?: boolean;
  /** Message for failure, with `{text}` for the cause, or a function that makes it from the error. */
  failed: string | ((error: unknown) => string);
};

const noIds: ReadonlySet<string> = new Set();

/** Sends commands to platforms, knows which rows are busy with one, and shows the result. */
export function usePlatformControl() {
  const api = useApi();
  const queries = useQueryClient();
  const { alert } = useAlert();
  const { show } = useSnackbar();
  const navigate = useNavigate();
  const [busyIds, setBusyIds] = useState(noIds);

  /** Sends a command and returns whether it succeeded. */
  const send = useCallback(
    async ({ command, platform, body, rowId, done, leads = false, failed }: Order): Promise<boolean> => {
      setBusyIds((before) => new Set([...before, rowId]));
      const named = { platformName: platform.name, platformType: platform.type };
      let isDone = false;
      try {
        const answer = await api.call(controlPlatform, { query: { command }, body: { ...named, ...body } });
        const { mission, warning } = answer;
        isDone = true;
        const text = typeof done === 'string' ? done : done(answer);
        const way = leads && mission ? wayTo(mission._id, (path) => void navigate(path)) : undefined;
        if (warning === null) show(text, 'success', way);
        else show(fill(texts.done.withWarning, { text, warning }), 'warning', way);
      } catch (error) {
        const text = typeof failed === 'string' ? fill(failed, { text: errorText(error) }) : failed(error);
        alert(texts.error, text);
        show(text, 'error');
      }
      // The row remains busy until it shows the new state.
      await queries.invalidateQueries({ queryKey: ['platforms', 'list'] });
      void queries.invalidateQueries({ queryKey: ['missions'] });
      setBusyIds((before) => new Set([...before].filter((id) => id !== rowId)));
      return isDone;
    },
    [api, queries, alert, show, navigate],
  );
  return { busyIds, send };
}

const wayTo = (missionId: string, go: (path: string) => void) => ({
  label: texts.now.open,
  onClick: () => go(`/missions?mission=${missionId}`),
});

export type PlatformControl = ReturnType<typeof usePlatformControl>;

const missionRefusals: readonly AppError['code'][] = [
  'invalid',
  'missionNameTaken',
  'labelAboveGroup',
  'unknownUsergroup',
  'hidesFromMaker',
  'forbidden',
];

/** Returns the message for a mission that was refused, or one that could not be recorded. */
export function missionFailure(error: unknown): string {
  const { adding, recording } = texts.errors;
  const isRefused = error instanceof AppError && missionRefusals.includes(error.code);
  return fill(isRefused ? adding : recording, { text: errorText(error) });
}
