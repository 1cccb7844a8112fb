/**
 * HTML of a mail, from its own route with its own policy. The sandbox forbids scripts, forms, pop-ups and navigation of the
 * console.
 */
export const HtmlFrame = ({ src, title }: { readonly src: string; readonly title: string }) => (
  <iframe class="mail-frame" title={title} sandbox="" src={src} />
)
