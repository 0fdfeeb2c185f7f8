// The page: a signature from the service, the upload to the storage, and addresses with signatures to show the photo.

import { Problem, pause, repeated, uploadBlocks } from './upload.js';

const THUMBNAIL_MS = 60_000;
const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 3_000;
const element = id => document.getElementById(id);
const megabytes = bytes => (bytes / (1 << 20)).toFixed(1);

let running = null;
let last = null; // the last file

/** Sends a request to the service, which may be repeated; a problem of it has a detail for the user. */
async function service(method, path, signal, body) {
  const response = await repeated(async () => {
    try {
      return await fetch(path, {
        method,
        signal,
        headers: body ? { 'content-type': 'application/json' } : {},
        body: body && JSON.stringify(body),
      });
    } catch {
      signal.throwIfAborted();
      return { status: 0 };
    }
  }, signal);
  if (response.status === 0) {
    throw new Problem('The service cannot be reached. Check your connection and try again.');
  }
  const text = await response.text();
  if (response.ok) {
    return text ? JSON.parse(text) : null;
  }
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const problem = new Problem(
    (isProblem && JSON.parse(text).detail) || `The service fails with status ${response.status}.`,
    { mayPass: response.status === 429 || response.status >= 500 });
  problem.status = response.status;
  throw problem;
}

async function drop(file) {
  if (running) {
    return;
  }
  last = file;
  running = new AbortController();
  const { signal } = running;
  element('problem').hidden = true;
  element('photo').hidden = true;
  element('upload').hidden = false;
  element('drop').classList.add('busy');
  element('file').disabled = true;
  element('name').textContent = file.name;
  try {
    progress(0, 'Preparing');
    const upload = await service('POST', 'photos', signal, { contentType: file.type, size: file.size });
    await uploadBlocks(file, upload, signal, sent =>
      progress(sent / file.size, `${megabytes(sent)} of ${megabytes(file.size)} MB`));
    progress(1, 'Checking');
    await service('PUT', `photos/${upload.photo}`, signal);
    progress(1, 'Making the thumbnail');
    addThumbnail(await finished(upload.photo, file.name, signal), file.name);
  } catch (failure) {
    if (!signal.aborted) {
      complain(failure, file.name);
    }
  } finally {
    running = null;
    element('upload').hidden = true;
    element('drop').classList.remove('busy');
    element('file').disabled = false;
    element('file').value = '';
  }
}

/** Shows the photo, and polls until its thumbnail is there. */
async function finished(photo, name, signal) {
  const end = Date.now() + THUMBNAIL_MS;
  for (let wait = FIRST_POLL_MS; Date.now() < end; wait = Math.min(wait * 1.5, MAX_POLL_MS)) {
    let view;
    try {
      view = await service('GET', `photos/${photo}`, signal);
    } catch (failure) {
      if (failure.status === 404) {
        element('photo').hidden = true;
        throw new Problem('The service cannot read this file as a photo, and has removed it.', { mayPass: false, cause: failure });
      }
      throw failure;
    }
    if (wait === FIRST_POLL_MS) {
      show(view, name);
    }
    if (view.thumbnail) {
      return view;
    }
    await pause(wait, signal);
  }
  throw new Problem('The photo is stored, but its thumbnail takes longer than usual.', { mayPass: false });
}

function progress(share, step) {
  element('progress').value = share;
  element('percent').textContent = `${Math.floor(share * 100)} %`;
  element('step').textContent = step;
}

function show(view, name) {
  element('photo').hidden = false;
  element('picture').src = view.picture;
  element('picture').alt = name;
  element('caption').textContent = name;
  element('download').href = view.download;
}

function addThumbnail(view, name) {
  const image = document.createElement('img');
  image.src = view.thumbnail;
  image.alt = name;
  const button = document.createElement('button');
  button.type = 'button';
  button.append(image);
  // The signatures of the first view may be over by then.
  button.onclick = async () => {
    try {
      show(await service('GET', `photos/${view.photo}`, new AbortController().signal), name);
      element('problem').hidden = true;
      mark(button);
    } catch (failure) {
      complain(failure, name, () => button.click());
    }
  };
  const item = document.createElement('li');
  item.append(button);
  element('thumbnails').prepend(item);
  mark(button);
}

function mark(current) {
  document.querySelectorAll('#thumbnails button').forEach(button => button.removeAttribute('aria-current'));
  current.setAttribute('aria-current', 'true');
}

function complain(failure, name, again = () => drop(last)) {
  const known = failure instanceof Problem;
  if (!known) {
    console.error(failure);
  }
  element('wrong').textContent = name;
  element('reason').textContent = known ? failure.message : 'The page has failed. Reload it and try again.';
  element('again').hidden = !known || !failure.mayPass;
  element('again').onclick = again;
  element('problem').hidden = false;
}

element('file').onchange = event => event.target.files.length && drop(event.target.files[0]);
element('cancel').onclick = () => running?.abort();
element('picture').onerror = () => {
  element('photo').hidden = true;
  if (!running) { // else the service will say why
    complain(new Problem('The browser cannot show this photo.', { mayPass: false }), element('caption').textContent);
  }
};

for (const type of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  // A file that misses the field does not replace the page.
  document.addEventListener(type, event => event.preventDefault());
}
element('drop').addEventListener('dragover', () => element('drop').classList.add('over'));
element('drop').addEventListener('dragleave', () => element('drop').classList.remove('over'));
element('drop').addEventListener('drop', event => {
  element('drop').classList.remove('over');
  if (event.dataTransfer.files.length) {
    drop(event.dataTransfer.files[0]);
  }
});
