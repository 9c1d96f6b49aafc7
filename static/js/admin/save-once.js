// Keeps the buttons of a form and its autosave from saving at the same moment: a button waits for the autosave
// under way, and no other one begins after it. Without the wait both would save what is new in the form.

const FORM = '[data-edit-form]';
// Milliseconds to wait for an autosave whose answer may never come.
const PATIENCE = 10_000;
const autosaving = new WeakSet();
const sent = new WeakSet();

/** Names a form, so that the server recognises what it has created already. */
function nameForm(form) {
  const field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'form_id';
  field.value = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
  form.append(field);
}

/** Sends a form with the name of the button that was pressed, which may be disabled meanwhile. */
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
document.addEventListener('w-autosave:save', (event) => autosaving.add(event.target));
for (const name of ['w-autosave:success', 'w-autosave:error']) {
  document.addEventListener(name, (event) => autosaving.delete(event.target));
}
document.addEventListener('submit', onSubmit, { capture: true });
// A form that the browser shows again after going back may be sent again.
addEventListener('pageshow', (event) => {
  if (event.persisted) for (const form of document.querySelectorAll(FORM)) sent.delete(form);
});
