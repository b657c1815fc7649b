import type { Rename } from '../rename.ts';

const all = true;

/** Sockets, ingests and listeners. `heard` of ships and receivers is a word of the contract, and stays. */
const RECEIVED =
  /base\/ws\/|base\/db\/|compose\/events|test\/(?:conference-client|event-sockets|recorder|recorder-process)\.|conference\/|web\/src\/live\/|(?:activity|licence|live-socket|control|live-events|mirror|recorder|syslog|server|rtmp-source|matrix-lists)\.test|on-failure|useScreenSharing/;

/** A function that is called when something came is named by what came; a value that came was received. */
export const table: Rename[] = [
  { from: 'heard', to: 'received', all, in: RECEIVED },
  { from: 'heard', to: 'onBatch', all, in: /features\/ais\/(?:intake\/|intake\.test|live-state)|compose\/ais\.ts/ },
  {
    from: 'heard',
    to: 'onData',
    all,
    in: /recorder\/(?:ais\/ais-stream|stream\/(?:managed-stream|stream-watch|transport-stream))\.ts/,
  },
  { from: 'heard', to: 'onDatagram', in: /sources\/udp-source\.ts/ },
  { from: 'heard', to: 'hasReceived', in: /stream\/source-keeper\.ts/ },
  { from: 'heard', to: 'watched', in: /sources\/program-source\.ts/ },
  { from: 'heard', to: 'onText', in: /low-latency\/live-socket\.ts/ },
  { from: 'heard', to: 'onPicture', in: /mpegts\/src\/picture-order/ },
  { from: 'heard', to: 'onMessage', in: /conference\/call\/call\.ts/ },
  { from: 'heard', to: 'position', in: /live\/fleet\.test/ },
  { from: 'heard', to: 'aisText', in: /platforms\/stream-text/ },
  { from: 'heard', to: 'addReports', in: /ship-lists\.test/ },
  { from: 'isHeard', to: 'isReceived', in: /stream\/live-klv/ },
  { from: 'heardMs', to: 'receivedMs', all },
  { from: 'heardChat', to: 'onChat' },
  { from: 'heardSealed', to: 'onSealed' },
  { from: 'heardBySuperAdmin', to: 'receivedBySuperAdmin' },
  { from: 'allHeard', to: 'allReceived', all },
  { from: 'Heard', to: 'Received', in: /server\.test|test\/event-sockets/ },
  { from: 'hear', to: 'receive', all, notIn: /PlayerHead|video\.test|live-socket|base\/ws\/hub|compose\/conference/ },
  { from: 'hear', to: 'onMessage', all, in: /base\/ws\/hub|compose\/conference/ },
  { from: 'hear', to: 'onText', all, in: /low-latency\/live-socket\.ts/ },
  { from: 'hear', to: 'onVolume', in: /PlayerHead/ },
  { from: 'hearAll', to: 'receiveAll', all },
  { from: 'hearLabels', to: 'receiveLabels' },
  { from: 'hearAsks', to: 'receiveAsks' },
  { from: 'hearPassphrase', to: 'receivePassphrase' },
  { from: 'Hearer', to: 'MessageHandler' },
  { from: 'hearers', to: 'handlers', in: /base\/ws\/hub/ },
  { from: 'taken', to: 'batch', in: /base\/ws\/hub\.ts/ },
  { from: 'taken', to: 'onSent', in: /recorder\/serve\/connection/ },
  {
    from: 'taken',
    to: 'accepted',
    all,
    in: /rtmp-port\.test|klv-choice\.test|missions\/(?:add\/|MissionsPanel)|licence\/(?:useLicence|LicenceDialog)/,
  },
  { from: 'onTaken', to: 'onAccepted', all },
  { from: 'Taken', to: 'Accepted', in: /missions\/(?:add\/|MissionsPanel)/ },
  { from: 'takes', to: 'accepts', all, notIn: /ais-files|compose\/recorder/ },
  { from: 'takes', to: 'isOn', all, in: /ais-files|compose\/recorder/ },
  { from: 'onFound', to: 'onSighted', all, in: /live-coverage|live-shapes\.test|compose\/live\.ts/ },
  { from: 'hear', to: 'handle', all, in: /compose\/conference/ },
];
