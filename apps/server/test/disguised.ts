/** Files of other formats named .ts, by what they are. */
export const disguised: Record<string, Buffer> = Object.fromEntries(
  Object.entries({
    exe: 'MZ\x90\0\x03',
    html: '<!DOCTYPE html><script>fetch("/")</script>',
    svg: '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    m3u8: '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n',
    concat: 'ffconcat version 1.0\nfile /etc/passwd\n',
    avi: 'RIFF\0\0\0\0AVI LIST#EXTM3U\n',
  }).map(([what, text]) => [what, Buffer.from(text, 'latin1')]),
);
