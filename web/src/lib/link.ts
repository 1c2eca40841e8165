// Addresses of the pages.
/** /risk?file=world/patients.csv */
export function link(path: string, query: Record<string, string | number | undefined | null> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = pairs
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2F', '/').replaceAll('%2C', ',')}`)
    .join('&');
  return text ? `${path}?${text}` : path;
}
