/** Creates a video element. It is muted, since browsers do not start sound without a click. */
export function createPicture(): HTMLVideoElement {
  const element = document.createElement('video');
  element.muted = true;
  element.playsInline = true;
  element.preload = 'auto';
  return element;
}
