import { Box } from '@mui/material';
import { type ReactNode, useState } from 'react';
import { toggleOver, useFullScreen } from '../player/picture/full-screen.ts';
import { type PanelSensor, TelemetryPanel } from '../telemetry/TelemetryPanel.tsx';
import { Behind } from '../ui/Behind.tsx';
import { useFocusWhenDrawn } from '../ui/useFocusWhenDrawn.ts';
import { insetFrame, insetGrid } from './inset-grid.ts';
import { type Arrangement, isOfPhone, leftShare, type Panels, readShare, writeShare } from './layout.ts';
import { Splitter } from './Splitter.tsx';
import { StagePictures, type StagePlayer } from './StagePictures.tsx';
import { DOCKED_PX, fullMap, fullTransport, GAP_PX, gridOf, NO_BOX } from './stage-grid.ts';
import { useFullScreenStage } from './useFullScreenStage.ts';

type Props = {
  arrangement: Arrangement;
  width: number;
  live: boolean;
  /** Players on screen; on a phone only that of the leading sensor. */
  players: readonly StagePlayer[];
  led: PanelSensor | null;
  panels: Panels;
  onPanels: (fields: Partial<Panels>) => void;
  /**
   * One large picture, with map, other pictures and telemetry in a column next to it; null if all pictures have the
   * same size. `mapLeads`: the map has the large place. `timelinePx`: room that is kept for the timeline.
   */
  inset?: { mapLeads: boolean; timelinePx: number } | null;
  panes: {
    /** Floating panels over the pictures, in addition to the telemetry. */
    floats?: ReactNode;
    /** Control that switches between pictures on a phone; null if there is only one. */
    choice: ReactNode;
    timeline: ReactNode;
    map: ReactNode;
    /** Tabs that replace map and panel on a phone. */
    tabs: ReactNode;
    below: ReactNode;
  };
};

/** Lays out players, timeline, map, telemetry and the table, depending on the width and the number of players. */
export function StageFrame(props: Props) {
  const { arrangement, width, live, players, led, panels, onPanels, panes } = props;
  /** Positions of the splitter, keyed by arrangement. */
  const [moved, setMoved] = useState<Partial<Record<Arrangement, number>>>({});
  const isPhone = isOfPhone(arrangement);
  const staged = isPhone && led ? players.filter(({ id }) => id === led._id) : players;
  const wide = !isPhone && arrangement !== 'column';
  const over = useFullScreen();
  const isFull = over.on && led !== null;
  const rests = useFullScreenStage(isFull);
  const docked = wide && panels.telemetry && panels.telemetryDocked && !isFull;
  const hasMap = (panels.map || (isFull && over.map)) && !isPhone;
  const floatsTelemetry = isFull ? over.telemetry : panels.telemetry && !docked;
  const { below } = panes;
  // In full screen the picture is fixed to the window, which the container of the large picture would prevent.
  const inset = wide && !isFull && props.inset ? { ...props.inset, mapLeads: props.inset.mapLeads && hasMap } : null;
  const column = { map: hasMap, tiles: staged.length - 1, docked };
  const first = leftShare({ containerPx: width, players: players.length, live });
  const left = moved[arrangement] ?? readShare({ arrangement, live }) ?? first;
  /**
   * Moving the panel draws it again in its other place, so the focus has to be restored to its button for a user of the
   * keyboard.
   */
  const dockButton = useFocusWhenDrawn<HTMLButtonElement>();
  const dock = {
    button: dockButton.ref,
    move() {
      dockButton.ask();
      onPanels({ telemetryDocked: !docked });
    },
  };
  const closeTelemetry = () => (isFull ? toggleOver('telemetry') : onPanels({ telemetry: false }));
  const panel = led && { sensor: led, docked, onClose: closeTelemetry };

  return (
    <Box
      sx={{
        display: 'grid',
        gap: isPhone ? 0 : `${GAP_PX}px`,
        flex: 1,
        minHeight: 0,
        minWidth: 0,
        alignContent: isPhone || inset || below !== null ? 'stretch' : 'start',
        ...(inset
          ? insetFrame(column)
          : gridOf({ arrangement, map: hasMap, timeline: true, below: below !== null, docked, left })),
      }}
    >
      {/* Without a large picture the wrappers are no boxes. They are there all the same, so that a change of the layout
          moves the players and does not mount them again. */}
      <Box sx={inset ? { gridArea: 'top', containerType: 'size', minWidth: 0 } : NO_BOX}>
        <Box sx={inset ? { ...insetGrid(column), display: 'grid', gap: `${GAP_PX}px`, height: '100%' } : NO_BOX}>
          <StagePictures
            players={staged}
            ledId={led?._id ?? null}
            inset={inset}
            columns={staged.length > 1 && wide && !inset ? 2 : 1}
            isPhone={isPhone}
            isLandscape={arrangement === 'landscape'}
            rests={rests}
            remembered={live ? null : players.length}
            telemetry={
              floatsTelemetry && panel
                ? (head) => <TelemetryPanel key={led._id} {...panel} head={head} dock={wide && !isFull ? dock : null} />
                : null
            }
            floats={panes.floats}
          />
          {isPhone && panes.choice !== null && <Box sx={{ gridArea: 'switch', minWidth: 0 }}>{panes.choice}</Box>}
          {docked && panel && (
            <Box sx={{ gridArea: 'docked', minHeight: 0, minWidth: 0, position: 'relative' }}>
              <Pane ground="surface.panel">
                <TelemetryPanel key={led._id} {...panel} head={null} dock={dock} />
              </Pane>
            </Box>
          )}
          {hasMap && (
            <Box
              sx={{
                gridArea: inset?.mapLeads ? 'main' : 'map',
                minWidth: 0,
                minHeight: inset ? 0 : 280,
                position: 'relative',
                ...(isFull && over.map && fullMap),
              }}
            >
              <Pane>{panes.map}</Pane>
            </Box>
          )}
        </Box>
      </Box>
      <Box
        sx={{
          gridArea: 'timeline',
          minWidth: 0,
          borderRadius: 2,
          border: isPhone ? 0 : 1,
          borderColor: 'surface.line',
          ...(inset && { minHeight: inset.timelinePx, boxSizing: 'content-box', bgcolor: 'surface.panel' }),
          ...(isFull && fullTransport(rests)),
        }}
      >
        <Behind>{panes.timeline}</Behind>
      </Box>
      {hasMap && wide && !inset && (
        <Splitter
          share={left}
          besidePx={docked ? DOCKED_PX + GAP_PX : 0}
          onShare={(next) => {
            setMoved({ ...moved, [arrangement]: next });
            writeShare({ arrangement, live }, next);
          }}
        />
      )}
      {isPhone && (
        <Box sx={{ gridArea: 'tabs', minWidth: 0 }}>
          <Behind>{panes.tabs}</Behind>
        </Box>
      )}
      {below !== null && !inset && <Box sx={{ gridArea: 'below', minWidth: 0, minHeight: 0 }}>{below}</Box>}
    </Box>
  );
}

/** Frame of map and docked telemetry, which fills its area and does not widen it. */
const Pane = ({ ground, children }: { ground?: string; children: ReactNode }) => (
  <Box
    sx={{
      ...{ position: 'absolute', inset: 0, borderRadius: 2, border: 1, borderColor: 'surface.line' },
      ...{ overflow: 'hidden', bgcolor: ground },
    }}
  >
    <Behind>{children}</Behind>
  </Box>
);
