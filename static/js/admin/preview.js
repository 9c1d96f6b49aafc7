// @ts-check
// Scales the framed shop to fit, marks what an editor is changing in it, and shows the page behind a link in it
// at the same chosen time.
(() => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector('[data-preview]'));
  const frame = /** @type {HTMLIFrameElement | null} */ (document.querySelector('[data-preview-frame]'));
  if (!form || !frame) return;
  const scaleFrame = () => {
    const width = frame.parentElement?.clientWidth ?? 0;
    frame.style.zoom = String(Math.min(1, width / Number(frame.width)));
  };
  scaleFrame();
  addEventListener('resize', scaleFrame);
  const setField = (/** @type {string} */ name, /** @type {string} */ value) => {
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
  };
  const openLink = (/** @type {MouseEvent} */ event) => {
    const link = /** @type {Element} */ (event.target).closest('a[href]');
    const href = link?.getAttribute('href');
    if (!href || href.startsWith('#')) return;
    event.preventDefault();
    const { origin, pathname } = new URL(href, frame.contentDocument?.baseURI);
    if (origin !== location.origin) return;
    const isChinese = /^\/zh-hans(\/|$)/.test(pathname);
    setField('path', isChinese ? pathname.slice('/zh-hans'.length) || '/home' : pathname);
    setField('language', isChinese ? 'zh-hans' : 'en');
    form.submit();
  };
  // The part that an editor is changing: a template comes before a block, which has no mark of its own.
  const findPart = () => {
    const found = frame.contentDocument?.querySelector(`[data-part="${frame.dataset.showPart}"]`);
    const part = found?.localName === 'template' ? found.nextElementSibling : found;
    return /** @type {HTMLElement | null | undefined} */ (part);
  };
  const markPart = () => {
    const note = /** @type {HTMLElement | null} */ (document.querySelector('[data-part-missing]'));
    if (!note || frame.contentDocument?.URL === 'about:blank') return;
    const part = findPart();
    note.hidden = Boolean(part);
    if (!part || part.dataset.isMarked) return;
    part.dataset.isMarked = '';
    const label = part.ownerDocument.createElement('p');
    label.textContent = frame.dataset.partLabel ?? '';
    const colours = { background: '#ffd500', color: '#0c1643' };
    Object.assign(label.style, colours, { position: 'absolute', zIndex: '9', insetBlockStart: '0' });
    Object.assign(label.style, { insetInlineEnd: '0', padding: '0.25rem 0.75rem', fontSize: '0.875rem' });
    if (part.ownerDocument.defaultView?.getComputedStyle(part).position === 'static')
      part.style.position = 'relative';
    part.style.outline = `4px solid ${colours.background}`;
    part.style.outlineOffset = '-4px';
    part.append(label);
    part.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  };
  const listen = () => frame.contentDocument?.addEventListener('click', openLink);
  frame.addEventListener('load', listen);
  frame.addEventListener('load', markPart);
  listen();
  if (frame.contentDocument?.readyState === 'complete') markPart();
})();
