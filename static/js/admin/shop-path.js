// @ts-check
/** Wagtail's globals have no types. */
const backOffice = /** @type {any} */ (window);

/* The button next to a path field: opens the chooser of the shop's pages and takes the chosen path. */
backOffice.wagtail.app.register(
  'shop-path',
  class extends backOffice.StimulusModule.Controller {
    static values = { url: String };

    choose() {
      backOffice.ModalWorkflow({
        url: this.urlValue,
        onload: backOffice.PAGE_CHOOSER_MODAL_ONLOAD_HANDLERS,
        responses: {
          pageChosen: (/** @type {{ url: string }} */ { url }) => {
            const input = this.element.querySelector('input');
            input.value = url;
            // Wagtail listens to them for unsaved changes and previews.
            input.dispatchEvent(new Event('input', { bubbles: true }));
            input.dispatchEvent(new Event('change', { bubbles: true }));
          },
        },
      });
    }
  },
);
