/** Labels of ST 0601.17 tag 34: icing detected. */
export const ICING = ['Detector off', 'No icing detected', 'Icing detected'] as const;

/** Labels of ST 0601.17 tag 47: generic flags, by bit. */
export const GENERIC_FLAGS = [
  'Laser range',
  'Auto-track',
  'IR polarity black-hot',
  'Icing detected',
  'Slant range measured',
  'Image invalid',
] as const;

/** Labels of ST 0601.17 tag 63: sensor field of view name. */
export const FIELD_OF_VIEW = [
  'Ultra-narrow',
  'Narrow',
  'Medium',
  'Wide',
  'Ultra-wide',
  'Narrow medium',
  '2x ultra-narrow',
  '4x ultra-narrow',
  'Continuous zoom',
] as const;

/** Labels of ST 0601.17 tag 77: operational mode. */
export const OPERATIONAL_MODE = ['Other', 'Operational', 'Training', 'Exercise', 'Maintenance', 'Test'] as const;

/** Labels of ST 0601.17 tag 124: positioning method source, by bit. */
export const POSITIONING = [
  'On-board INS',
  'GPS',
  'Galileo',
  'QZSS',
  'NAVIC',
  'GLONASS',
  'BeiDou-1',
  'BeiDou-2',
] as const;

/** Labels of ST 0601.17 tag 125: platform status. */
export const PLATFORM_STATUS = [
  'Active',
  'Pre-flight',
  'Pre-flight taxiing',
  'Run-up',
  'Take-off',
  'Ingress',
  'Manual operation',
  'Automated orbit',
  'Transitioning',
  'Egress',
  'Landing',
  'Landed taxiing',
  'Landed parked',
] as const;

/** Labels of ST 0601.17 tag 126: sensor control mode. */
export const CONTROL_MODE = [
  'Off',
  'Home position',
  'Uncontrolled',
  'Manual control',
  'Calibrating',
  'Auto, holding position',
  'Auto, tracking',
] as const;
