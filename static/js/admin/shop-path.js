/* The button beside a path: opens the window of the shop's pages and takes what is chosen there. */
window.wagtail.app.register(
  'shop-path',
  class extends window.StimulusModule.Controller {
    static values = { url: String };

    choose() {
      window.ModalWorkflow({
        url: this.urlValue,
        onload: window.PAGE_CHOOSER_MODAL_ONLOAD_HANDLERS,
        responses: {
          pageChosen: ({ url }) => {
            const input = this.element.querySelector('input');
            input.value = url;
            // What Wagtail listens to for unsaved changes and previews.
            input.dispatchEvent(new Event('input', { bubbles: true }));
            input.dispatchEvent(new Event('change', { bubbles: true }));
          },
        },
      });
    }
  },
);
