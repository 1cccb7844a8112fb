import { serviceUrl } from "../app/Client.js"

/**
 * The HTML of a mail, from its own route with its own policy. The sandbox forbids scripts, forms, pop-ups and navigation
 * of the console.
 */
export const MailFrame = ({ id }: { readonly id: string }) => (
  <iframe class="mail-frame" title="HTML of the mail" sandbox="" src={`${serviceUrl}/v1/email/${id}/html`} />
)
