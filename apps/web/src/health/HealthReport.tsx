import { mdiContentCopy } from '@mdi/js';
import { Box, Button } from '@mui/material';
import type { KlvHealth, Mission, Sensor } from '@osprey/contract';
import { useState } from 'react';
import { useActor } from '../api/session.ts';
import { fill, formatCount, formatNumber, formatRemaining } from '../base/format.ts';
import { mayChangeSensors } from '../base/mission-rights.ts';
import { Icon } from '../ui/Icon.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { Block, Figure, MarkedLine } from './Card.tsx';
import { CourseCurves } from './CourseCurves.tsx';
import { Facts } from './Facts.tsx';
import { Moments, ShowMoment } from './Moments.tsx';
import { Readings } from './Readings.tsx';
import { latencyText, reportText } from './report.ts';
import { Sidecars } from './Sidecars.tsx';
import { TagChart } from './TagChart.tsx';
import { TagTable } from './TagTable.tsx';
import { texts } from './texts.ts';

type Props = { mission: Mission; sensor: Sensor; health: KlvHealth; onShow: (timeUs: number) => void };

/** Report of one sensor: figures, findings, moments, items, and the curve of the selected item. */
export function HealthReport({ mission, sensor, health, onShow }: Props) {
  const { show } = useSnackbar();
  const mayChange = mayChangeSensors(useActor(), mission);
  const [item, setItem] = useState<number | null>(() => firstItem(health));
  const copy = () =>
    navigator.clipboard.writeText(reportText(sensor.name, health)).then(
      () => show(texts.copied, 'success'),
      () => show(texts.notCopied, 'error'),
    );
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' },
        alignItems: 'start',
        minWidth: 0,
      }}
    >
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <Block
          title={fill(texts.telemetryOf, { sensor: sensor.name })}
          aside={
            <Button variant="text" onClick={copy} startIcon={<Icon path={mdiContentCopy} />} sx={{ ml: 'auto' }}>
              {texts.copy}
            </Button>
          }
        >
          <Figures health={health} />
        </Block>
        <Block title={texts.findings} aside={<Count count={health.findings.length} />}>
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {health.findings.map((finding) => (
              <MarkedLine key={finding.text} mark={finding.severity}>
                <Box component="span" sx={{ flex: 1 }}>
                  {finding.text}
                </Box>
                {finding.time !== undefined && <ShowMoment timeUs={finding.time} onShow={onShow} />}
              </MarkedLine>
            ))}
            {health.findings.length === 0 && <MarkedLine mark="good">{texts.noFindings}</MarkedLine>}
          </Box>
        </Block>
        <Sidecars mission={mission} sensor={sensor} health={health} />
        <Readings sensorId={sensor._id} health={health} mayChange={mayChange} />
        {health.course && <CourseCurves course={health.course} onShow={onShow} />}
        <Moments health={health} onShow={onShow} />
        <Facts health={health} />
      </Box>
      <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
        <TagChart mission={mission} sensor={sensor} tag={item} onShow={onShow} />
        <TagTable health={health} chosen={item} onChoose={setItem} />
      </Box>
    </Box>
  );
}

const Count = ({ count }: { count: number }) => (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    {count}
  </Box>
);

function Figures({ health }: { health: KlvHealth }) {
  const { sets, ratePerSecond, checksum, clock, latencyMs } = health;
  const names = texts.cards;
  const all = Math.max(1, checksum.good + checksum.bad + checksum.missing);
  const longest = Math.max(0, ...clock.gaps.map(({ seconds }) => seconds));
  return (
    // The negative margins hide the border lines of the last column and row under the frame, for any number of columns.
    <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))', mr: '-1px', mb: '-1px' }}>
      <Figure
        title={names.sets}
        value={formatNumber(ratePerSecond, 1)}
        unit={texts.perSecond}
        note={fill(names.setsNote, { count: formatNumber(sets) })}
        mark="good"
      />
      <Figure
        title={names.checksum}
        value={formatNumber(checksum.bad)}
        note={
          checksum.missing > 0
            ? formatCount(checksum.missing, names.checksumMissing)
            : fill(names.checksumNote, { percent: formatNumber((checksum.bad / all) * 100, 2) })
        }
        mark={checksum.bad > 0 ? 'error' : checksum.missing > 0 ? 'warning' : 'good'}
      />
      <Figure
        title={names.gaps}
        value={formatNumber(clock.gaps.length)}
        note={longest > 0 ? fill(names.gapsNote, { length: formatRemaining(longest) }) : names.gapsNone}
        mark={clock.gaps.length > 0 ? 'warning' : 'good'}
      />
      <Figure
        title={names.jumps}
        value={formatNumber(clock.jumps.length)}
        note={fill(names.jumpsNote, { duplicates: clock.duplicates, backwards: clock.backwards })}
        mark={clock.jumps.length + clock.backwards > 0 ? 'warning' : 'good'}
      />
      <Figure
        title={names.latency}
        value={formatNumber(latencyMs && Math.abs(latencyMs.median), 0)}
        unit={latencyMs ? texts.ms : ''}
        note={latencyMs ? latencyText(latencyMs.median) : names.latencyNone}
        mark={latencyMs && Math.abs(latencyMs.p95) > 500 ? 'warning' : 'good'}
      />
    </Box>
  );
}

/**
 * Returns the item whose curve is drawn at first: the altitude, which says most about a flight; null if there is none.
 */
const firstItem = ({ tags }: KlvHealth): number | null => (tags.some(({ tag }) => tag === 15) ? 15 : null);
