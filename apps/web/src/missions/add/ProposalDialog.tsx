import { Box, Typography } from '@mui/material';
import type { Mission } from '@osprey/contract';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { fill, formatCount, formatNumber, namesText } from '../../base/format.ts';
import { unseen } from '../../base/sizes.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { LabelMark } from '../../ui/label/LabelMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { type MissionForm, newForm } from '../dialog/form.ts';
import { SharingFields } from '../dialog/SharingFields.tsx';
import { texts as dialogTexts } from '../dialog/texts.ts';
import { useSharing } from '../dialog/useSharing.ts';
import type { Accepted } from './AddByDrop.tsx';
import { FileRows } from './FileRows.tsx';
import { type InspectedFile, type Proposal, propose } from './group.ts';
import { InspectingDialog } from './InspectingDialog.tsx';
import { MissionCard } from './MissionCard.tsx';
import { type Asked, MoveMenu } from './MoveMenu.tsx';
import { changeMission, missionProblem, moveFiles, type Place, PRESS_MAX, sensorProblem } from './proposal.ts';
import { texts } from './texts.ts';
import { useCreateMissions } from './useCreateMissions.ts';
import { useInspections } from './useInspections.ts';

type Props = {
  accepted: Accepted;
  /** The missions that were made; one or more. */
  onCreated: (missions: readonly Mission[]) => void;
  onOpen: (mission: Mission) => void;
  onClose: () => void;
};

/** Maximum number of files that are all listed without shortening. */
const FEW = 40;

/** Proposes missions and sensors for dropped files: nothing is made or sent before the user confirms. */
export function ProposalDialog(props: Props) {
  const groups = useUsergroups();
  const { done, inspected } = useInspections(props.accepted.files);
  // Waits for the user groups, since the default values depend on them.
  return inspected === null || groups.length === 0 ? (
    <InspectingDialog all={props.accepted.files.length} done={done} onClose={props.onClose} />
  ) : (
    <Dialog {...props} inspected={inspected} />
  );
}

function Dialog({ accepted, inspected, onCreated, onOpen, onClose }: Props & { inspected: InspectedFile[] }) {
  const groups = useUsergroups();
  const { show } = useSnackbar();
  const form = useForm<MissionForm>({ defaultValues: newForm(groups) });
  const sharing = useSharing(form, null);
  const [proposal, setProposal] = useState<Proposal>(() => propose(inspected));
  const [asked, setAsked] = useState<Asked | null>(null);
  const [moved, setMoved] = useState<{ id: number; text: string } | null>(null);
  /** Number of missions of this press of the button that are done; null while none are being created. */
  const [creating, setCreating] = useState<{ done: number; all: number } | null>(null);
  const create = useCreateMissions(groups);
  const { missions, leftOut } = proposal;
  const label = form.watch('label');
  const next = missions.slice(0, PRESS_MAX);
  const isWrong = next.some(
    (mission) =>
      missionProblem(mission, missions, texts.twice) !== null ||
      mission.sensors.some(({ name }) => sensorProblem(name, mission, texts.sensorTwice) !== null),
  );

  useEffect(() => {
    // After a move, the row is part of another list and has a new button, which takes the focus.
    if (moved) document.querySelector<HTMLElement>(`[data-move="${moved.id}"]`)?.focus();
  }, [moved]);

  function move(ids: readonly number[], place: Place, placeName: string) {
    setAsked(null);
    setProposal((now) => moveFiles(now, ids, place));
    const [id] = ids;
    const files = formatCount(ids.length, texts.files);
    if (id !== undefined) setMoved({ id, text: fill(texts.moved, { files, place: placeName }) });
  }

  async function submit() {
    if (creating !== null || isWrong || sharing.problem !== null || next.length === 0) return;
    setCreating({ done: 0, all: next.length });
    const { made, failed } = await create(next, form.getValues(), (done) => setCreating({ done, all: next.length }));
    setCreating(null);
    const madeKeys = new Set(made.map(({ key }) => key));
    setProposal((now) =>
      failed.reduce(
        // If the server's answer was lost, the mission may already exist. Marking the name as typed prevents a retry
        // under another number, which would create it twice.
        (rest, { key, problem }) => changeMission(rest, key, { problem, isTyped: true }),
        { ...now, missions: now.missions.filter(({ key }) => !madeKeys.has(key)) },
      ),
    );
    const left = missions.length - made.length;
    const [only] = made;
    if (only) {
      const added = fill(formatCount(made.length, texts.added), { name: only.mission.name });
      const open = { label: dialogTexts.open, onClick: () => onOpen(only.mission) };
      const rest = formatCount(left, texts.left);
      if (left > 0) show(`${added} ${rest}`, failed.length > 0 ? 'warning' : 'success');
      else show(added, 'success', made.length === 1 ? open : undefined);
      onCreated(made.map(({ mission }) => mission));
    }
    if (left === 0) onClose();
  }

  const count = missions.length;
  const createText =
    count > PRESS_MAX
      ? fill(texts.create.some, { count: PRESS_MAX, all: formatNumber(count) })
      : formatCount(count, texts.create);
  return (
    <FormDialog
      title={count === 1 ? dialogTexts.create : texts.title}
      mark={<LabelMark label={label} marked />}
      width={1000}
      dirty
      onClose={onClose}
      onSubmit={() => void submit()}
      aside={
        <Typography variant="caption" sx={{ flex: 1, color: 'text.secondary', display: { xs: 'none', sm: 'block' } }}>
          {creating ? fill(texts.creating, creating) : dialogTexts.goesOn}
        </Typography>
      }
      submitLabel={createText}
      canSubmit={creating === null && !isWrong && sharing.problem === null && count !== 0}
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Typography sx={{ color: 'text.secondary' }}>{texts.lead}</Typography>
        <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 4 }}>
          <SharingFields form={form} sharing={sharing} marked isNew />
        </Box>
        {accepted.refused.length > 0 && (
          <Typography role="note" sx={{ color: 'warning.main', overflowWrap: 'anywhere' }}>
            {fill(texts.refused, { names: namesText(accepted.refused) })}
          </Typography>
        )}
        {accepted.more && (
          <Typography role="note" sx={{ color: 'warning.main' }}>
            {fill(texts.more, { count: formatNumber(accepted.files.length) })}
          </Typography>
        )}
        {missions.map((mission, at) => (
          <MissionCard
            key={mission.key}
            number={at + 1}
            mission={mission}
            all={missions}
            openAtFirst={inspected.length <= FEW}
            onChange={(fields) => setProposal((now) => changeMission(now, mission.key, fields))}
            onAsk={setAsked}
            onMove={move}
          />
        ))}
        {count === 0 && <Typography>{texts.none}</Typography>}
        {leftOut.length > 0 && (
          <Box
            component="section"
            aria-label={texts.leftOut}
            sx={{ border: 1, borderColor: 'divider', borderRadius: 2 }}
          >
            <Box sx={{ p: 3, fontWeight: 600 }}>{texts.leftOut}</Box>
            <FileRows files={leftOut} sensor={null} onAsk={setAsked} />
          </Box>
        )}
        <Box role="status" sx={unseen}>
          {moved?.text}
        </Box>
      </Box>
      <MoveMenu asked={asked} missions={missions} onMove={move} onClose={() => setAsked(null)} />
    </FormDialog>
  );
}
