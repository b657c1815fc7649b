/**
 * Returns the Content-Disposition header of a download (RFC 6266), with the name encoded by RFC 8187. The name cannot
 * break out of the header.
 */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9._-]+/g, '_');
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
