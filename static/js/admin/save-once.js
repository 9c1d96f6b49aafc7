// Keeps the buttons of a form and its autosave from saving at the same moment: a button waits for the autosave
// under way, and no other one begins after it. Without the wait both would save what is new in the form.
// What is typed while an autosave is under way stays unsaved: Wagtail takes all that the form holds at the answer
// for saved. Likewise in the first two seconds or more, after which Wagtail notes what the form held at first.

const FORM = '[data-edit-form]';
// Milliseconds to wait for an autosave whose answer may never come.
const PATIENCE = 10_000;
const autosaving = new WeakSet();
const sent = new WeakSet();
/** What each form held when its autosave began, as Wagtail compares it. */
const autosaved = new WeakMap();

/** What each form held before it was touched for the first time. */
const untouched = new WeakMap();

/** Returns what looks for changes in a form. */
function watcherOf(form) {
  return window.wagtail.app.getControllerForElementAndIdentifier(form, 'w-unsaved');
}

/** Lets a form that was autosaved differ from what it holds by what was typed in the meantime. */
function keepTyped({ target: form, detail }) {
  const held = new URLSearchParams(autosaved.get(form));
  for (const [name, value] of Object.entries(detail.data.field_updates ?? {})) {
    if (held.has(name)) held.set(name, value);
  }
  compareWith(form, held.toString());
}

function compareWith(form, held) {
  const watcher = watcherOf(form);
  if (watcher.formData === held) return;
  watcher.initialFormData = held;
  watcher.previousFormData = held;
  watcher.check();
}

function noteTouch({ target }) {
  const form = target.closest(FORM);
  // Before the document is complete, scripts still fill in the form.
  if (!form || document.readyState !== 'complete' || untouched.has(form)) return;
  untouched.set(form, watcherOf(form).formData);
}

/** Keeps what was typed before Wagtail noted what a form held at first. */
function keepTypedFirst({ target: form }) {
  // The end of an autosave is announced in the same way.
  if (untouched.has(form) && !autosaved.has(form)) compareWith(form, untouched.get(form));
}

/** Names a form, so that the server recognises what it has created already. */
function nameForm(form) {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'form_id';
  field.value = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
  form.append(field);
}

/** Sends a form with the name of the button that was pressed, which may be disabled in the meantime. */
function send(form, button) {
  if (button?.name) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = button.name;
    field.value = button.value;
    form.append(field);
  }
  form.requestSubmit();
}

function afterAutosave(form, then) {
  const events = ['w-autosave:success', 'w-autosave:error'];
  const timer = setTimeout(finish, PATIENCE);
  function finish() {
    clearTimeout(timer);
    for (const name of events) form.removeEventListener(name, finish);
    autosaving.delete(form);
    then();
  }
  for (const name of events) form.addEventListener(name, finish);
}

function onSubmit(event) {
  const form = event.target;
  if (!form.matches(FORM)) return;
  if (sent.has(form)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  form.dataset.wAutosaveActiveValue = 'false';
  if (autosaving.has(form)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    sent.add(form);
    afterAutosave(form, () => {
      sent.delete(form);
      send(form, event.submitter);
    });
  } else {
    sent.add(form);
  }
}

for (const form of document.querySelectorAll(FORM)) nameForm(form);
document.addEventListener('w-autosave:save', ({ target: form }) => {
  autosaving.add(form);
  autosaved.set(form, watcherOf(form).formData);
});
document.addEventListener('w-autosave:success', keepTyped);
for (const name of ['pointerdown', 'keydown']) document.addEventListener(name, noteTouch, { capture: true });
document.addEventListener('w-unsaved:watch-edits', keepTypedFirst);
for (const name of ['w-autosave:success', 'w-autosave:error']) {
  document.addEventListener(name, (event) => autosaving.delete(event.target));
}
document.addEventListener('submit', onSubmit, { capture: true });
// A form that the browser shows again after going back may be sent again.
addEventListener('pageshow', (event) => {
  if (event.persisted) for (const form of document.querySelectorAll(FORM)) sent.delete(form);
});
