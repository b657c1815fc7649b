import type { ReactNode } from 'react';
import { AisPanel } from '../ais/AisPanel.tsx';
import { LookbackRow } from '../coverage/LookbackRow.tsx';
import type { TabPanelProps } from '../ui/TabStrip.tsx';

type Props = { tabs: ReactNode; panel: TabPanelProps };

/** Table of ships, with cards that state when a ship was filmed. */
export const AisTabPanel = (props: Props) => <AisPanel {...props} span={LookbackRow} />;
