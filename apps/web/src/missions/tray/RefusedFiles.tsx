import { Button } from '@mui/material';
import { can, type Mission } from '@osprey/contract';
import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { useActor } from '../../api/session.ts';
import { fill, namesText } from '../../base/format.ts';
import { factsOf } from '../../base/mission-rights.ts';
import { AlertBox } from '../../ui/Floating.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { type UploadItem, useUploads } from '../../uploads/upload-store.ts';
import { DeleteMissions } from '../DeleteMissions.tsx';
import { texts as dialogTexts } from '../dialog/texts.ts';
import { useMission } from '../useMissions.ts';
import { texts } from './refused-texts.ts';

/** An upload that failed permanently, with the server's message. */
export type Failure = { item: UploadItem; message: string };

type Props = {
  /** One failure or more. */
  failures: readonly Failure[];
  /** Called with the failures that were shown, when the user closes the message. */
  onAnswered: (shown: readonly Failure[]) => void;
  onClose: () => void;
};

const missionOf = ({ item: { target } }: Failure): string | null =>
  (target.kind === 'sensor' && target.missionId) || null;

/** Reports failed uploads: those of one mission together in one message, others one after the other. */
export function RefusedFiles({ failures, onAnswered }: Props) {
  const [first] = failures;
  if (first === undefined) return null;
  const missionId = missionOf(first);
  const own = missionId === null ? [first] : failures.filter((failure) => missionOf(failure) === missionId);
  const close = () => onAnswered(own);
  return <Message key={first.item.id} missionId={missionId} failures={own.map(failureText)} onClose={close} />;
}

function failureText({ item: { target, fileName }, message }: Failure): string {
  if (target.kind === 'import') return fill(texts.importError, { file: fileName, message });
  if (target.kind === 'tiles') return fill(texts.tilesError, { file: fileName, message });
  // The message names the file, since many files may have been dropped at once.
  const named = fill(texts.message, { file: fileName, text: message });
  return fill(texts.error, { mission: target.missionName, sensor: target.sensorName, message: named });
}

type MessageProps = {
  /** Null for a file that belongs to no mission. */
  missionId: string | null;
  /** Text for each failed file, shown as a list item. */
  failures: readonly string[];
  onClose: () => void;
};

/**
 * Reports refused files of a mission together with the files that the mission does have, and withdraws the note that
 * the mission was added. If the mission consists only of files uploaded by this page, it can be deleted from here.
 */
function Message({ missionId, failures, onClose }: MessageProps) {
  const actor = useActor();
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  const { data: mission } = useMission(missionId);
  const uploads = useUploads().filter(
    ({ target }) => missionId !== null && target.kind === 'sensor' && target.missionId === missionId,
  );
  useWithdrawnNote(mission);

  if (deleting && mission) return <DeleteMissions missions={[mission]} onClose={onClose} onDeleted={onClose} />;
  const mayDelete = mission && isOfThisPage(mission, uploads) && can(actor, 'mission.delete', factsOf(mission)).allowed;
  return (
    <AlertBox
      title={texts.alertTitle}
      mark={mission && <LabelMark label={mission.securityClassification} marked={mission.marked} />}
      text={[...failures, ...(mission ? [restText(mission, uploads)] : [])].join('\n\n')}
      onAnswer={onClose}
      actions={
        <>
          {mayDelete && (
            <Button variant="text" color="error" onClick={() => setDeleting(true)}>
              {texts.remove}
            </Button>
          )}
          {mission && (
            <Button
              onClick={() => {
                onClose();
                void navigate({ pathname: '/missions', search: `?mission=${mission._id}` });
              }}
            >
              {texts.open}
            </Button>
          )}
        </>
      }
    />
  );
}

const namesOf = ({ sensors }: Mission): string[] => sensors.flatMap(({ assets }) => assets.map(({ name }) => name));

const arrived = (uploads: readonly UploadItem[]): string[] =>
  uploads.filter(({ state }) => state === 'done').map(({ fileName }) => fileName);

function isOfThisPage(mission: Mission, uploads: readonly UploadItem[]): boolean {
  // Compares sensor and name, since another sensor may have used the same file name before.
  const own = new Set(
    uploads.flatMap(({ state, target, fileName }) =>
      state === 'done' && target.kind === 'sensor' ? `${target.sensorId}/${fileName}` : [],
    ),
  );
  return mission.sensors.every(({ _id, assets }) => assets.every(({ name }) => own.has(`${_id}/${name}`)));
}

function restText(mission: Mission, uploads: readonly UploadItem[]): string {
  const names = [...new Set([...namesOf(mission), ...arrived(uploads)])];
  const files = namesText(names.map((name) => ({ name })));
  const holds = fill(names.length === 0 ? texts.holdsNone : texts.holds, { mission: mission.name, files });
  const isSending = uploads.some(({ state }) => state !== 'done' && state !== 'failed');
  return isSending ? `${holds} ${texts.sending}` : holds;
}

/** Withdraws the note that the mission was added, since it reads as if all of its files had been added. */
function useWithdrawnNote(mission: Mission | undefined): void {
  const { withdraw } = useSnackbar();
  const name = mission?.name;
  const onAdded = useEffectEvent((known: string) => withdraw(fill(dialogTexts.added, { name: known })));
  useEffect(() => {
    if (name !== undefined) onAdded(name);
  }, [name]);
}
