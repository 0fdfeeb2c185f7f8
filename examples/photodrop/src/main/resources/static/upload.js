// Uploads a file to one blob: blocks in parallel, each repeated after a failure that may pass, then the list of the blocks.

const PARALLEL = 4;
const RETRIES = 5;
const FIRST_WAIT_MS = 500;
const ATTEMPT_MS = 120_000;
const TEMPORARY = new Set([0, 408, 429, 500, 502, 503, 504]); // 0: no response

/** A failure with a text for the user, who may try again unless the same would happen. */
export class Problem extends Error {
  constructor(text, { mayPass = true, cause } = {}) {
    super(text, { cause });
    this.mayPass = mayPass;
  }
}

/** Waits, or rejects when the signal aborts. */
export function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => { clearTimeout(timer); reject(signal.reason); };
    const timer = setTimeout(() => { signal.removeEventListener('abort', stop); resolve(); }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Sends attempts until one has a status that will not pass, or the last one has failed; returns the last response. */
export async function repeated(attempt, signal) {
  for (let retry = 0; ; retry++) {
    const response = await attempt();
    if (!TEMPORARY.has(response.status) || retry === RETRIES) {
      return response;
    }
    await pause(FIRST_WAIT_MS * 2 ** retry * (0.8 + 0.4 * Math.random()), signal);
  }
}

/**
 * Uploads a file.
 *
 * @param file the file
 * @param upload the address with the signature, its end, the content type and the size of blocks, as the service gives them
 * @param signal ends the upload when it aborts
 * @param sent gets the number of bytes that have left, which shrinks when a block is repeated
 */
export async function uploadBlocks(file, upload, signal, sent) {
  const own = new AbortController();
  const both = AbortSignal.any([signal, own.signal]);
  const count = Math.ceil(file.size / upload.blockBytes);
  // All ids of a blob have one length.
  const ids = Array.from({ length: count }, (_, index) => btoa(String(index).padStart(6, '0')));
  const bytes = new Array(count).fill(0);
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const index = next++;
      const content = file.slice(index * upload.blockBytes, (index + 1) * upload.blockBytes);
      await put(upload, { comp: 'block', blockid: ids[index] }, content, {}, both, loaded => {
        bytes[index] = Math.min(loaded, content.size);
        sent(bytes.reduce((sum, each) => sum + each, 0));
      });
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(PARALLEL, count) }, lane));
  } catch (failure) {
    own.abort(failure);
    throw failure;
  }
  // May be repeated after a lost response: the list says the same about blocks that are in the blob already.
  const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map(id => `<Latest>${id}</Latest>`).join('')}</BlockList>`;
  await put(upload, { comp: 'blocklist' }, list, { 'content-type': 'text/plain', 'x-ms-blob-content-type': upload.contentType }, signal);
}

async function put(upload, query, body, headers, signal, sent = () => {}) {
  const address = new URL(upload.uri);
  Object.entries(query).forEach(([name, value]) => address.searchParams.append(name, value));
  const response = await repeated(async () => {
    const result = await send(address, body, headers, signal, sent);
    if (result.status !== 201) {
      sent(0);
    }
    return result;
  }, signal);
  if (response.status === 201) {
    return;
  }
  if (new Date(upload.expiresAt) <= new Date()) {
    throw new Problem('The time for this upload is over. Try again to begin a new one.');
  }
  if (response.status === 0) {
    throw new Problem('The storage cannot be reached. Check your connection and try again.');
  }
  throw new Problem(`The storage refused the upload: ${response.code ?? `status ${response.status}`}.`);
}

/** Sends one attempt. XMLHttpRequest reports the progress of a request, which fetch does not. */
function send(address, body, headers, signal, sent) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('PUT', address);
    Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.timeout = ATTEMPT_MS;
    request.upload.onprogress = event => sent(event.loaded);
    request.onloadend = () => {
      signal.removeEventListener('abort', abort);
      if (signal.aborted) {
        reject(signal.reason);
      } else {
        resolve({ status: request.status, code: request.getResponseHeader('x-ms-error-code') });
      }
    };
    signal.addEventListener('abort', abort, { once: true });
    request.send(body);
  });
}
