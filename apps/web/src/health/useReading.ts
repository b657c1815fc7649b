import { addVideoSensor, type KlvHealth, readFileAs } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.readings;

type Reading = { klvPid: number | null; clock: 'other' | null; joined?: boolean };

/**
 * Returns functions that choose how a file is read, and offer to undo the choice. The report is updated once the file
 * has been read again.
 */
export function useReading(sensorId: string, { choices, clock, continuations }: KlvHealth) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);

  function readingNow(fileId: string): Reading {
    const choice = choices?.find((one) => one.fileId === fileId);
    const isOther = clock.readings?.some((one) => one.fileId === fileId && one.isOther);
    const isJoined = continuations?.some((one) => one.fileId === fileId && one.joined);
    return {
      klvPid: choice?.by === 'user' ? choice.chosen : null,
      clock: isOther ? 'other' : null,
      ...(isJoined && { joined: true }),
    };
  }

  async function send(fileId: string, body: Reading): Promise<boolean> {
    setBusy(true);
    try {
      await api.call(readFileAs, { params: { id: sensorId, fileId }, body });
      await queries.invalidateQueries({ queryKey: ['health', sensorId] });
      return true;
    } catch (error) {
      show(fill(words.failed, { text: errorText(error) }), 'error');
      return false;
    } finally {
      setBusy(false);
    }
  }

  async function choose(fileId: string, change: Partial<Reading>): Promise<void> {
    const before = readingNow(fileId);
    if (!(await send(fileId, { ...before, ...change }))) return;
    const undo = async () => {
      if (await send(fileId, before)) show(words.undone);
    };
    show(words.done, 'success', { label: words.undo, onClick: () => void undo() });
  }

  async function addVideo(fileId: string, pid: number): Promise<void> {
    setBusy(true);
    try {
      const { message } = await api.call(addVideoSensor, { params: { id: sensorId, fileId }, body: { pid } });
      show(message, 'success');
    } catch (error) {
      show(fill(words.notAdded, { text: errorText(error) }), 'error');
    } finally {
      setBusy(false);
    }
  }

  return {
    addVideo: (fileId: string, pid: number) => void addVideo(fileId, pid),
    choose: (fileId: string, change: Partial<Reading>) => void choose(fileId, change),
    busy,
  };
}
