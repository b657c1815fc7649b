import { Box, Button, Checkbox, FormControlLabel, FormHelperText, MenuItem, Typography } from '@mui/material';
import {
  type Clip,
  type ClipContainer,
  type ClipPlan,
  clipContainers,
  type Mission,
  type Sensor,
  type TelemetryFormat,
  telemetryFormats,
} from '@osprey/contract';
import { useState } from 'react';
import { fill, formatClockMs, formatDuration, formatNumber, formatSize } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import type { Collected } from '../cases/add/collected.ts';
import { FormDialog } from '../ui/dialog/FormDialog.tsx';
import { laterDialog } from '../ui/dialog/later-dialog.tsx';
import { Field } from '../ui/fields/Field.tsx';
import { Hint } from '../ui/Hint.tsx';
import { ShownMark } from '../ui/label/ShownMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts as ui } from '../ui/texts.ts';
import { BACKGROUND_BYTES, clipAddress, startDownload, telemetryAddress } from './address.ts';
import { ClipFields } from './ClipFields.tsx';
import { clipTitle } from './clip-title.ts';
import { collectedClips } from './collected.ts';
import { SpanFields } from './SpanFields.tsx';
import { texts } from './texts.ts';
import { type ClipForm, useClipActs } from './useClipActs.ts';
import { useClipPlan } from './useClipPlan.ts';
import { useSpanFields } from './useSpanFields.ts';

const AddToCaseDialog = laterDialog(async () => (await import('../cases/add/AddToCaseDialog.tsx')).AddToCaseDialog);

type Props = {
  mission: Mission;
  sensors: readonly Sensor[];
  /** The leading sensor, and the selected span. An In or Out that is not set is the start or end of the mission. */
  sensorId: string;
  inUs: number | null;
  outUs: number | null;
  /** End of the playable time, for a mission that is being recorded. */
  endUs: number;
  /** Called with the id of the ordered export, which the server makes in the background. */
  onOrdered: (id: string) => void;
  onClose: () => void;
};

/** Dialog to choose a span of a sensor and the format in which it is saved. */
export function ExportDialog({ mission, sensors, sensorId, inUs, outUs, endUs, onOrdered, onClose }: Props) {
  const { show } = useSnackbar();
  const videos = sensors.filter(({ type }) => type === 'video');
  const [chosen, setChosen] = useState(sensorId);
  const span = useSpanFields({ mission, inUs, outUs, endUs });
  const [format, setFormat] = useState<ClipContainer | TelemetryFormat>('ts');
  // Whether to add a sidecar, which makes the file a zip. Off for MP4: within a zip it would not open by double click.
  const [sidecars, setSidecars] = useState({ ts: true, mp4: false });
  const [allSensors, setAllSensors] = useState(false);
  const [retained, setRetained] = useState<ClipForm | null>(null);
  const [offered, setOffered] = useState('');
  const [tried, setTried] = useState(false);
  // Whether a clip that is kept is then also added to a case.
  const [intoCase, setIntoCase] = useState(false);
  const [collected, setCollected] = useState<Collected | null>(null);
  const { keep, order } = useClipActs();
  const { from, to } = span;
  const isOrdered = from !== null && to !== null && from < to;
  const asked = isOrdered ? { missionId: mission._id, sensorId: chosen, inUs: from, outUs: to } : null;
  const container = containerOf(format);
  const plan = useClipPlan(asked && { ...asked, container: container ?? 'ts' });
  const isVideo = container !== null;
  const sidecar = container !== null && sidecars[container];
  // An error of the video plan does not matter for telemetry, which may exist without pictures.
  const problem = isVideo && plan.error ? errorText(plan.error) : undefined;
  const known = asked !== null && !plan.isPlaceholderData ? plan.data : undefined;
  // An export from a running recording ends where the data on the disk end.
  const isRunning = mission.state === 'Running';
  const lateSeconds = isRunning && known !== undefined && to !== null ? Math.max(0, (to - known.endTime) / 1e6) : 0;

  /** Null: it is not kept. The title says of what and when, as those of snapshots and marks do, until another is typed. */
  function keepAs(title: string | null) {
    setOffered(title ?? '');
    setRetained(title === null ? null : { ...noWords, title });
  }

  /**
   * Keeps the clip if the user has chosen so. Resolves to null if no clip is to be kept, and to false if it could not
   * be kept; the dialog then stays open.
   */
  async function keepRequested(): Promise<Clip | null | false> {
    if (retained === null) return null;
    setTried(true);
    if (asked === null || retained.title.trim() === '') return false;
    return (await keep(asked, retained)) ?? false;
  }

  /** Finishes the export: opens the choice of a case, or closes the dialog. */
  function end(clip: Clip | null) {
    if (clip !== null && intoCase) setCollected(collectedClips([clip], mission));
    else onClose();
  }

  async function saveOnly() {
    const clip = await keepRequested();
    if (clip !== false) end(clip);
  }

  async function submit() {
    if (asked !== null && container === null) {
      const clip = await keepRequested();
      if (clip === false) return;
      const sensor = videos.find(({ _id }) => _id === chosen)?.name ?? '';
      show(fill(texts.exportingTelemetry, { sensor, format: format.toUpperCase() }), 'info');
      startDownload(telemetryAddress(asked, format));
      return end(clip);
    }
    if (asked === null || container === null || problem !== undefined || plan.data === undefined) return;
    const clip = await keepRequested();
    if (clip === false) return;
    const isZip = sidecar || allSensors || plan.data.files > 1;
    const isLarge = allSensors || (isZip && plan.data.sizeBytes > BACKGROUND_BYTES);
    // Not for running recordings: only the server that records them can cut them.
    if (isLarge && !isRunning) {
      const id = await order(asked, { file: plan.data.fileName, format: container, allSensors });
      if (id === null) return;
      onOrdered(id);
      return end(clip);
    }
    show(fill(texts.exporting, { file: `${plan.data.fileName}.${isZip ? 'zip' : container}` }), 'info');
    startDownload(clipAddress({ ...asked, container, sidecar, allSensors }));
    end(clip);
  }

  if (collected) return <AddToCaseDialog collected={collected} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.title}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      width={520}
      dirty={retained !== null && retained.title !== offered}
      onClose={onClose}
      onSubmit={() => void submit()}
      actions={
        <>
          <Box sx={{ flex: 1 }} />
          <Button onClick={onClose}>{ui.cancel}</Button>
          {retained !== null && (
            <Button disabled={known === undefined} onClick={() => void saveOnly()}>
              {texts.saveOnly}
            </Button>
          )}
          <Button
            type="submit"
            variant="contained"
            color="primary"
            disabled={isVideo ? known === undefined : asked === null}
          >
            {texts.submit}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 4 }}>
        <Field
          select
          label={texts.format}
          help={texts.formatHelp[format]}
          value={format}
          onChange={(event) => setFormat(event.target.value as typeof format)}
        >
          {([...clipContainers, ...telemetryFormats] as const).map((one) => (
            <MenuItem key={one} value={one}>
              {texts.formats[one]}
            </MenuItem>
          ))}
        </Field>
        {videos.length > 1 && (
          <Field select label={texts.sensor} value={chosen} onChange={(event) => setChosen(event.target.value)}>
            {videos.map(({ _id, name }) => (
              <MenuItem key={_id} value={_id}>
                {name}
              </MenuItem>
            ))}
          </Field>
        )}
        {isVideo && videos.length > 1 && (
          <Box>
            <FormControlLabel
              control={<Checkbox checked={allSensors} onChange={(event) => setAllSensors(event.target.checked)} />}
              label={texts.allSensors}
            />
            <FormHelperText>{texts.allHelp}</FormHelperText>
          </Box>
        )}
        <SpanFields span={span} autoFocus />
        <Box role="status" sx={{ display: 'grid', gap: 1 }}>
          <Line name={texts.duration} text={isOrdered ? formatDuration((to - from) / 1e6) : '–'} />
          {isVideo && (
            <Line name={texts.size} text={sizeText(known?.sizeBytes, asked !== null && problem === undefined)} />
          )}
          {container === 'ts' && known && <Typography variant="body2">{cutText(known.startTime, from!)}</Typography>}
          {container === 'mp4' && known && <Typography variant="body2">{playersText(known)}</Typography>}
        </Box>
        {problem !== undefined && <Hint>{problem}</Hint>}
        {lateSeconds >= GAP_MIN_S && <Hint>{fill(texts.cutAtDisk, { time: formatClockMs(known!.endTime) })}</Hint>}
        {known !== undefined && known.gapSeconds - lateSeconds >= GAP_MIN_S && (
          <Hint>{fill(texts.gap, { seconds: formatNumber(known.gapSeconds - lateSeconds, 1) })}</Hint>
        )}
        {isVideo && known?.converted && <Hint>{texts.converted}</Hint>}
        {isVideo && known !== undefined && known.files > 1 && (
          <Hint>{fill(texts.severalFiles, { count: known.files })}</Hint>
        )}
        {container !== null && (
          <Box>
            <FormControlLabel
              control={
                <Checkbox
                  checked={sidecar}
                  onChange={(event) => setSidecars((before) => ({ ...before, [container]: event.target.checked }))}
                />
              }
              label={texts.sidecar}
            />
            <FormHelperText>{texts.sidecarHelp}</FormHelperText>
          </Box>
        )}
        <Box>
          <FormControlLabel
            control={
              <Checkbox
                checked={retained !== null}
                onChange={(event) => keepAs(event.target.checked ? clipTitle(mission, from) : null)}
              />
            }
            label={texts.keep}
          />
          <FormHelperText>{texts.keepHelp}</FormHelperText>
        </Box>
        {retained !== null && <ClipFields form={retained} onChange={setRetained} asked={tried} focused />}
        {retained !== null && (
          <FormControlLabel
            control={<Checkbox checked={intoCase} onChange={(event) => setIntoCase(event.target.checked)} />}
            label={texts.intoCase}
          />
        )}
      </Box>
    </FormDialog>
  );
}

/** Minimum gap in seconds that is mentioned. */
const GAP_MIN_S = 0.5;

const containerOf = (format: ClipContainer | TelemetryFormat): ClipContainer | null =>
  clipContainers.find((one) => one === format) ?? null;

/** Returns a text that says which players open the MP4, and which of them play its sound. */
function playersText({ video, sound }: Pick<ClipPlan, 'video' | 'sound'>): string {
  const [first] = sound;
  return [texts.players[video], first && texts.soundPlayers[first]].filter(Boolean).join(' ');
}

const noWords: ClipForm = { title: '', note: '', tags: [] };

function cutText(startUs: number, inUs: number): string {
  const seconds = (inUs - startUs) / 1e6;
  if (seconds < 0.01) return texts.cutExactly;
  return fill(texts.cutAt, { time: formatClockMs(startUs), seconds: formatNumber(seconds, 2) });
}

const sizeText = (bytes: number | undefined, measuring: boolean): string =>
  bytes === undefined ? (measuring ? texts.measuring : '–') : formatSize(bytes);

const Line = ({ name, text }: { name: string; text: string }) => (
  <Box sx={{ display: 'flex', gap: 3, color: 'text.secondary' }}>
    <Box sx={{ width: 120 }}>{name}</Box>
    <Box component="strong" sx={{ fontWeight: 600, color: 'text.primary', fontVariantNumeric: 'tabular-nums' }}>
      {text}
    </Box>
  </Box>
);
