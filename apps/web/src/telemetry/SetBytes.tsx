import { mdiClose, mdiContentCopy, mdiRefresh, mdiTextBoxOutline } from '@mdi/js';
import { Box } from '@mui/material';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { fill, formatClockMs, formatNumber } from '../base/format.ts';
import { useViewServices } from '../onscreen/view-services.ts';
import { Action } from '../ui/Action.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { SetParts } from './SetParts.tsx';
import { dumpOf, type ShownSet, sumText } from './set-parts.ts';
import { texts } from './texts.ts';
import { useSetOnScreen } from './useSetOnScreen.ts';

type Props = {
  sensorId: string;
  /** Tag of the requested item; null for the whole set. */
  tag: string | null;
  onClose: () => void;
};

const small = { width: 26, height: 26, '& svg': { fontSize: 15 } } as const;

/** Shows the bytes of the set whose values are on screen, as recorded. */
export function SetBytes({ sensorId, tag, onClose }: Props) {
  const { show } = useSnackbar();
  const { stores } = useViewServices();
  const { timeUs, readAgain } = useSetOnScreen(sensorId);
  const recorded = stores.get(sensorId)?.recorded;
  const { data, isError } = useQuery({
    queryKey: ['telemetrySet', sensorId, timeUs],
    enabled: recorded !== undefined && timeUs !== null,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => recorded!.readSet(timeUs!),
  });
  const set = data?.set ?? null;

  function copy(text: string) {
    navigator.clipboard.writeText(text).then(
      () => show(texts.bytesCopied, 'success'),
      () => show(texts.notCopied, 'error'),
    );
  }
  const says = () => {
    if (recorded === undefined) return texts.bytesLive;
    if (timeUs === null) return texts.nothingToRead;
    if (isError) return texts.bytesFailed;
    if (data === undefined) return texts.readingBytes;
    return data.reason === 'sidecar' ? texts.bytesOfText : texts.bytesNotFound;
  };

  return (
    <Box
      data-part="set-bytes"
      data-set-time-us={data?.time ?? ''}
      sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column' }}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', flex: 'none', pl: 2, pr: 0.5, minHeight: 30 }}>
        <Box component="h3" sx={{ m: 0, flex: 1, minWidth: 0, fontSize: 12, fontWeight: 600 }}>
          {data ? fill(texts.setOf, { time: formatClockMs(data.time) }) : texts.bytes}
        </Box>
        <Action label={texts.readAgain} icon={mdiRefresh} onClick={readAgain} disabled={!recorded} sx={small} />
        <Action
          label={texts.copyHex}
          icon={mdiContentCopy}
          disabled={set === null}
          onClick={() => set && copy(set.hex)}
          sx={small}
        />
        <Action
          label={texts.copyDump}
          icon={mdiTextBoxOutline}
          disabled={set === null}
          onClick={() => set && copy(dumpOf(set))}
          sx={small}
        />
        <Action label={texts.valuesAgain} icon={mdiClose} onClick={onClose} sx={small} />
      </Box>
      {set ? (
        <Box sx={{ flex: 1, minHeight: 0, overflow: 'auto', pb: 1 }}>
          <SetFacts set={set} />
          <SetParts set={set} first={tag} onCopy={copy} onClose={onClose} />
        </Box>
      ) : (
        <Box role={isError ? 'alert' : 'status'} sx={{ px: 2, py: 2, color: 'text.secondary' }}>
          {says()}
        </Box>
      )}
    </Box>
  );
}

/** Shows the position of the set in the recording, and whether its checksum is correct. */
function SetFacts({ set }: { set: ShownSet }) {
  const { standard, pid, offset, fileName, checksum, stated, computed } = set;
  const sum = { good: texts.sumGood, bad: texts.sumBad, missing: texts.sumMissing }[checksum];
  return (
    <Box sx={{ px: 2, pb: 1, color: 'text.secondary', overflowWrap: 'anywhere' }}>
      <Box>
        {fill(texts.place, {
          standard: texts.standards[standard] ?? standard,
          count: formatNumber(set.hex.length / 2),
          pid,
          offset: formatNumber(offset),
          file: fileName,
        })}
      </Box>
      <Box data-checksum={checksum} sx={checksum === 'bad' ? { color: 'warning.main', fontWeight: 600 } : {}}>
        {fill(sum, { stated: sumText(stated ?? 0), computed: sumText(computed ?? 0) })}
      </Box>
    </Box>
  );
}
