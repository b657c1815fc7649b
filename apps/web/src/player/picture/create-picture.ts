/** Without sound: no browser plays another one that nobody has asked for. */
export function createPicture(): HTMLVideoElement {
  const element = document.createElement('video');
  element.muted = true;
  element.playsInline = true;
  element.preload = 'auto';
  return element;
}
