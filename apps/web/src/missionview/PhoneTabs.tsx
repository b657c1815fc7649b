import { Box, Tab, Tabs, ToggleButton, ToggleButtonGroup } from '@mui/material';
import { type ReactNode, useContext, useState } from 'react';
import { type PanelSensor, TelemetryPanel } from '../telemetry/TelemetryPanel.tsx';
import { PhoneExtrasContext } from './phone-extras.ts';
import { texts } from './texts.ts';

type Named = { _id: string; name: string };
type Props = { map: ReactNode; leader: PanelSensor | null };

/**
 * Tabs are as wide as their names, and wider if there is room; if there is too little room, the row scrolls sideways.
 */
const tabsSx = { flex: 1, minWidth: 0, '& .MuiTab-root': { minHeight: 44, minWidth: 44, flex: '1 0 auto', px: 2 } };

/** Tabs below the player on a phone: map, telemetry, and those added by features. */
export function PhoneTabs({ map, leader }: Props) {
  const [tab, setTab] = useState('map');
  const { mark, tabs } = useContext(PhoneExtrasContext);
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, pr: 2 }}>
        <Tabs
          value={tab}
          onChange={(_event, next) => setTab(next)}
          variant="scrollable"
          scrollButtons={false}
          aria-label={texts.tabs}
          sx={tabsSx}
        >
          <Tab value="map" label={texts.mapTab} id="view-tab-map" aria-controls="view-panel" />
          <Tab value="telemetry" label={texts.telemetryTab} id="view-tab-telemetry" aria-controls="view-panel" />
          {tabs.map(({ id, label }) => (
            <Tab key={id} value={id} label={label} id={`view-tab-${id}`} aria-controls="view-panel" />
          ))}
        </Tabs>
        {mark}
      </Box>
      <Box id="view-panel" role="tabpanel" aria-labelledby={`view-tab-${tab}`} sx={{ flex: 1, minHeight: 0 }}>
        {tab === 'map' && map}
        {tabs.find(({ id }) => id === tab)?.content}
        {tab === 'telemetry' && leader && (
          <TelemetryPanel sensor={leader} head={null} docked dock={null} onClose={null} />
        )}
      </Box>
    </Box>
  );
}

type SwitchProps = { sensors: readonly Named[]; chosen: string | null; onChoose: (id: string) => void };

/** Switch between sensors on a phone, which shows one sensor at a time. */
export function SensorSwitch({ sensors, chosen, onChoose }: SwitchProps) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={chosen}
      aria-label={texts.sensorOfPhone}
      onChange={(_event, id: string | null) => id !== null && onChoose(id)}
      // The buttons stay on one line, for any number and length of names.
      sx={{ display: 'flex', px: 2, py: 1, overflowX: 'auto' }}
    >
      {sensors.map(({ _id, name }) => (
        <ToggleButton key={_id} value={_id} sx={{ minHeight: 44, px: 4, flex: 'none', whiteSpace: 'nowrap' }}>
          {name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
