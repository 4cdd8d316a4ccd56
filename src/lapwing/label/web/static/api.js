// Requests to the server, one action after the other, and its stream of versions.

export class Refused extends Error {}

async function checked(response) {
  if (response.ok) return response;
  throw new Refused((await response.text()).slice(0, 500) || `Error ${response.status}`);
}

export const json = async (path) => (await checked(await fetch(path))).json();
export const bytes = async (path) => (await checked(await fetch(path))).arrayBuffer();

/** A packet: header length, header, class bytes, confidence bytes. */
export function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const n = (buffer.byteLength - 4 - length) / 2;
  return {
    head,
    classes: new Uint8Array(buffer, 4 + length, n),
    confidence: new Uint8Array(buffer, 4 + length + n, n),
  };
}

export const answers = async () => unpack(await bytes("/api/answers"));

let chain = Promise.resolve();

/** Do something; actions wait for each other, so that they arrive in the order of the keys. */
export function act(action, given = {}) {
  const run = async () => {
    const response = await fetch(`/api/do/${action}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(given),
    });
    return unpack(await (await checked(response)).arrayBuffer());
  };
  const result = chain.then(run, run);
  chain = result.catch(() => {});
  return result;
}

/** Call back with each version of the session, and with false when the server is gone. */
export function listen(heard) {
  const stream = new EventSource("/api/events");
  stream.onmessage = (event) => heard(Number(event.data));
  stream.onerror = () => heard(false);
}
