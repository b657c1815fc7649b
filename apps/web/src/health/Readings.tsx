import { Box, Button } from '@mui/material';
import type { KlvHealth } from '@osprey/contract';
import { fill, formatCount, formatNumber } from '../base/format.ts';
import { Block, MarkedLine } from './Card.tsx';
import { texts } from './texts.ts';
import { useReading } from './useReading.ts';

type Props = { sensorId: string; health: KlvHealth; mayChange: boolean };

const words = texts.readings;
const listSx = { m: 0, p: 0, listStyle: 'none' } as const;

/**
 * Lists files that have several telemetry streams, two readings of their clock, or parts in other files: shows what is
 * used, with buttons to choose the alternative.
 */
export function Readings({ sensorId, health, mayChange }: Props) {
  const { choose, addVideo, busy } = useReading(sensorId, health);
  const { choices = [], clock, continuations = [], videos = [] } = health;
  const readings = clock.readings ?? [];
  if (choices.length + readings.length + continuations.length + videos.length === 0) return null;
  return (
    <Block title={words.title}>
      <Box component="ul" sx={listSx}>
        {choices.map(({ fileId, name, chosen, by, streams }) => (
          <Box component="li" key={fileId}>
            <Box component="ul" sx={listSx} aria-label={name}>
              {streams.map(({ pid, sets, positions, filled = [] }) => (
                <MarkedLine key={pid} mark={pid === chosen || filled.length > 0 ? 'good' : 'warning'}>
                  <Box component="span" sx={{ flex: 1 }}>
                    {fill(words.stream, {
                      file: name,
                      pid,
                      sets: formatCount(sets, words.sets),
                      positions: formatNumber(positions),
                    })}
                    {pid === chosen && ` ${words.by[by]}`}
                    {filled.length > 0 && ` ${fill(words.filled, { tags: filled.join(', ') })}`}
                  </Box>
                  {mayChange && pid !== chosen && (
                    <Button variant="text" disabled={busy} onClick={() => choose(fileId, { klvPid: pid })}>
                      {fill(words.show, { pid })}
                    </Button>
                  )}
                  {mayChange && pid === chosen && by === 'user' && (
                    <Button variant="text" disabled={busy} onClick={() => choose(fileId, { klvPid: null })}>
                      {words.byRules}
                    </Button>
                  )}
                </MarkedLine>
              ))}
            </Box>
          </Box>
        ))}
        {videos.flatMap(({ fileId, name, pids }) =>
          pids.map((pid) => (
            <MarkedLine key={`${fileId} ${pid}`} mark="warning">
              <Box component="span" sx={{ flex: 1 }}>
                {fill(words.video, { file: name, pid })}
              </Box>
              {mayChange && (
                <Button variant="text" disabled={busy} onClick={() => addVideo(fileId, pid)}>
                  {fill(words.addVideo, { pid })}
                </Button>
              )}
            </MarkedLine>
          )),
        )}
        {continuations.map(({ fileId, name, before, gapSeconds, joined }) => (
          <MarkedLine key={fileId} mark={joined ? 'good' : 'warning'}>
            <Box component="span" sx={{ flex: 1 }}>
              {fill(joined ? words.joined : words.continues, { file: name, before, gap: formatNumber(gapSeconds, 1) })}
            </Box>
            {mayChange && (
              <Button variant="text" disabled={busy} onClick={() => choose(fileId, { joined: !joined })}>
                {joined ? words.byRules : words.join}
              </Button>
            )}
          </MarkedLine>
        ))}
        {readings.map(({ fileId, name, otherSeconds, isOther }) => (
          <MarkedLine key={fileId} mark="warning">
            <Box component="span" sx={{ flex: 1 }}>
              {fill(isOther ? words.other : words.assumed, {
                file: name,
                seconds: formatNumber(Math.abs(otherSeconds), 3),
                side: otherSeconds < 0 ? words.earlier : words.later,
              })}
            </Box>
            {mayChange && (
              <Button
                variant="text"
                disabled={busy}
                onClick={() => choose(fileId, { clock: isOther ? null : 'other' })}
              >
                {isOther ? words.byRules : words.takeOther}
              </Button>
            )}
          </MarkedLine>
        ))}
      </Box>
    </Block>
  );
}
