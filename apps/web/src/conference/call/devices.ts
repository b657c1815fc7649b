import { texts } from './texts.ts';

export type DeviceKind = 'sound' | 'camera';
/** Reason why there is no track, as a text that says what the user can do. */
export type Failure = string;
export type Opened = { track: MediaStreamTrack | null; failure: Failure | null };

export type Device = { id: string; name: string };

const words = texts.devices;

const requestedOf = {
  sound: (deviceId: string | null): MediaStreamConstraints => ({
    audio: { ...chosen(deviceId), echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  }),
  camera: (deviceId: string | null): MediaStreamConstraints => ({
    video: { ...chosen(deviceId), width: { ideal: 640 }, height: { ideal: 360 }, frameRate: { ideal: 24, max: 30 } },
  }),
};

const chosen = (deviceId: string | null) => (deviceId === null ? {} : { deviceId: { exact: deviceId } });

/** Opens one device. The browser may first ask the user for permission. */
export async function openDevice(kind: DeviceKind, deviceId: string | null): Promise<Opened> {
  // `mediaDevices` is undefined if the page was not loaded over TLS.
  if (navigator.mediaDevices === undefined) return { track: null, failure: words.insecure };
  try {
    const stream = await navigator.mediaDevices.getUserMedia(requestedOf[kind](deviceId));
    return { track: stream.getTracks()[0] ?? null, failure: null };
  } catch (error) {
    return { track: null, failure: failureText(kind, error) };
  }
}

/** Returns the devices of this machine. Their names are available only after a device was opened. */
export async function listDevices(kind: DeviceKind): Promise<Device[]> {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  const requested = kind === 'sound' ? 'audioinput' : 'videoinput';
  return all
    .filter((device) => device.kind === requested && device.deviceId !== '')
    .map(({ deviceId, label }, at) => ({ id: deviceId, name: label || `${words[kind]} ${at + 1}` }));
}

/** Opens a whole screen, a window or a tab, as the user chooses; null if the user cancels. */
export async function openScreen(): Promise<Opened> {
  if (navigator.mediaDevices?.getDisplayMedia === undefined) return { track: null, failure: words.noScreens };
  try {
    const requested = { video: { frameRate: { ideal: 10, max: 15 } }, audio: false };
    const track = (await navigator.mediaDevices.getDisplayMedia(requested)).getVideoTracks()[0] ?? null;
    // Prefer sharp text to smooth motion.
    if (track !== null) track.contentHint = 'detail';
    return { track, failure: null };
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
    return { track: null, failure: isRefused ? null : words.noScreens };
  }
}

export function failureText(kind: DeviceKind, error: unknown): Failure {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return words.refused[kind];
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return words.missing[kind];
  if (name === 'NotReadableError' || name === 'AbortError') return words.inUse[kind];
  return words.failed[kind];
}

/** Reports the level of a microphone, from 0 to 1. Returns a function that stops the meter. */
export function soundMeter(track: MediaStreamTrack, onLevel: (level: number) => void): () => void {
  const context = new AudioContext();
  const source = context.createMediaStreamSource(new MediaStream([track]));
  const analyser = context.createAnalyser();
  analyser.fftSize = 512;
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  void context.resume().catch(() => undefined);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    onLevel(Math.min(1, Math.sqrt(sum / samples.length) * 4));
  }, 100);
  return () => {
    clearInterval(timer);
    source.disconnect();
    void context.close();
  };
}

/** Plays a tone of half a second, with which the user can test the loudspeaker. */
export function playTone(): void {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.value = 660;
  volume.gain.value = 0.2;
  tone.connect(volume).connect(context.destination);
  tone.onended = () => void context.close();
  tone.start();
  tone.stop(context.currentTime + 0.5);
}
