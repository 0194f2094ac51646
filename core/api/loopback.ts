/**
 * Who may speak to a console on loopback: requests that name it by a loopback name and its own port
 * (DNS rebinding), and, when a browser says where a request comes from, only its own pages.
 */
const names = ['localhost', '127.0.0.1', '[::1]'];

export const refuseForeign = (
  headers: { readonly host: string | undefined; readonly origin: string | undefined },
  port: number,
): string | null => {
  const own = names.map((name) => `${name}:${port}`);
  const host = headers.host?.toLowerCase();
  if (host === undefined || !own.includes(host)) {
    return `The Host header ${host === undefined ? 'is missing' : `"${host}" is not this console`}. Use http://127.0.0.1:${port}.`;
  }
  const origin = headers.origin?.toLowerCase();
  if (origin !== undefined && !own.some((name) => origin === `http://${name}`)) {
    return `Pages of "${origin}" may not use this console.`;
  }
  return null;
};
