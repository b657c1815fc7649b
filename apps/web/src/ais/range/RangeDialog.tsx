import { Box, Button, MenuItem, Table, TableBody, TableCell, TableHead, TableRow, Typography } from '@mui/material';
import { type AisRange, type AisSources, can, getAisRange, setReceiverPlace } from '@osprey/contract';
import { parsePlace } from '@osprey/geo';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { useActor } from '../../api/session.ts';
import { fill, formatClock } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { formatPlace } from '../../base/units.ts';
import { PlainDialog } from '../../ui/dialog/PlainDialog.tsx';
import { Field } from '../../ui/fields/Field.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { mmsiText } from '../columns.tsx';
import { milesText } from '../miles.ts';
import { PolarPlot } from './PolarPlot.tsx';
import { type Sectors, sectorText } from './sectors.ts';
import { rangeTexts as texts } from './texts.ts';

type Receivers = AisSources['receivers'];
type Props = { receivers: Receivers; onClose: () => void };

/** Interval in milliseconds at which the range is read again: FIRST_MS until the first ship is known, then REST_MS. */
const [FIRST_MS, REST_MS] = [5000, 30_000];

const nameOf = ({ platformName, sensorName }: Receivers[number]) => `${platformName} ${sensorName}`;

/** Dialog that shows the range of each receiver, by bearing and day. */
export function RangeDialog({ receivers, onClose }: Props) {
  const api = useApi();
  const [chosen, setChosen] = useState('');
  const receiver = receivers.find(({ sensor }) => sensor === chosen) ?? receivers[0];
  const id = receiver?.sensor ?? '';
  const { data, error } = useQuery({
    queryKey: ['ais', 'range', id],
    queryFn: ({ signal }) => api.call(getAisRange, { params: { id } }, { signal }),
    enabled: id !== '',
    // Ships received while the dialog is open are added to the plot. Until there are any, for example after the
    // position was set, the range is read more often.
    refetchInterval: ({ state }) => (state.data?.days.length === 0 ? FIRST_MS : REST_MS),
  });
  return (
    <PlainDialog
      title={texts.title}
      mark={data && <ShownMark label={data.securityClassification} />}
      width="sm"
      onClose={onClose}
    >
      <Box sx={{ p: 4, display: 'grid', gap: 3, gridAutoRows: 'max-content', minHeight: 240, overflowY: 'auto' }}>
        {receiver === undefined ? (
          <Typography>{texts.noReceiver}</Typography>
        ) : (
          <Field select label={texts.receiver} value={id} onChange={(event) => setChosen(event.target.value)}>
            {receivers.map((one) => (
              <MenuItem key={one.sensor} value={one.sensor}>
                {nameOf(one)}
              </MenuItem>
            ))}
          </Field>
        )}
        {error !== null && data === undefined && (
          <Typography role="alert" color="error">
            {fill(texts.failed, { message: errorText(error) })}
          </Typography>
        )}
        {receiver && error === null && data === undefined && <Typography role="status">{texts.reading}</Typography>}
        {data && <Range key={id} id={id} range={data} />}
      </Box>
    </PlainDialog>
  );
}

function Range({ id, range }: { id: string; range: AisRange }) {
  const mayPlace = can(useActor(), 'platformConfig.manage').allowed;
  const [chosen, setChosen] = useState('');
  const { place, days } = range;
  const day = days.find((one) => one.day === chosen) ?? days[0];
  return (
    <>
      {place === null && days.length === 0 && <Remark {...texts.unplaced} />}
      {place !== null && (
        <Typography sx={{ color: 'text.secondary' }}>
          {fill(texts.places[place.origin], { place: formatPlace(place) })}
        </Typography>
      )}
      {place !== null && days.length === 0 && <Remark {...texts.nothing} />}
      {day && (
        <>
          <Field select label={texts.day} value={day.day} onChange={(event) => setChosen(event.target.value)}>
            {days.map((one) => (
              <MenuItem key={one.day} value={one.day}>
                {one.day}
              </MenuItem>
            ))}
          </Field>
          <Box sx={{ display: 'grid', justifyItems: 'center' }}>
            <PolarPlot sectors={day.sectors} />
          </Box>
          <SectorTable sectors={day.sectors} />
        </>
      )}
      {mayPlace && <PlaceForm id={id} />}
    </>
  );
}

const Remark = ({ title, text }: { title: string; text: string }) => (
  <Box role="status">
    <Typography variant="subtitle2">{title}</Typography>
    <Typography sx={{ color: 'text.secondary' }}>{text}</Typography>
  </Box>
);

function SectorTable({ sectors }: { sectors: Sectors }) {
  const { sector, distance, mmsi, time } = texts.columns;
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table size="small" aria-label={texts.table}>
        <TableHead>
          <TableRow>
            <TableCell>{sector}</TableCell>
            <TableCell align="right">{distance}</TableCell>
            <TableCell>{mmsi}</TableCell>
            <TableCell>{time}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {sectors.map(
            (ship, index) =>
              ship && (
                <TableRow key={index}>
                  <TableCell component="th" scope="row">
                    {sectorText(index)}
                  </TableCell>
                  <TableCell align="right">{milesText(ship.metres, 1)}</TableCell>
                  <TableCell>{mmsiText(ship.mmsi)}</TableCell>
                  <TableCell>{formatClock(ship.timestamp)}</TableCell>
                </TableRow>
              ),
          )}
        </TableBody>
      </Table>
    </Box>
  );
}

/**
 * Form for the position of a receiver, shown to users who may set up platforms: a receiver ashore does not report its
 * position.
 */
function PlaceForm({ id }: { id: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [written, setWritten] = useState('');
  const [busy, setBusy] = useState(false);
  const place = parsePlace(written);

  async function send(): Promise<void> {
    if (place === null || busy) return;
    setBusy(true);
    try {
      await api.call(setReceiverPlace, { params: { id }, body: { lat: place.lat, lon: place.lon } });
      setWritten('');
      show(texts.done, 'success');
      await queries.invalidateQueries({ queryKey: ['ais', 'range', id] });
    } catch (error) {
      show(fill(texts.notSet, { message: errorText(error) }), 'error');
    } finally {
      setBusy(false);
    }
  }

  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // In the React tree, a form of the page is around this one, so the event must not propagate to it.
        event.stopPropagation();
        void send();
      }}
      sx={{ display: 'grid', gap: 2, justifyItems: 'start', pt: 3, borderTop: 1, borderColor: 'divider' }}
    >
      <Field
        label={texts.place}
        value={written}
        help={texts.placeHelp}
        problem={written.trim() !== '' && place === null ? texts.placeWrong : undefined}
        onChange={(event) => setWritten(event.target.value)}
        slotProps={{ htmlInput: { maxLength: 100, spellCheck: false } }}
      />
      <Button type="submit" variant="outlined" disabled={place === null || busy}>
        {texts.set}
      </Button>
    </Box>
  );
}
