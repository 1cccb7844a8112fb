import { serviceUrl } from "../app/Client.js"
import { HtmlFrame } from "./HtmlFrame.js"

/** The HTML of a mail. */
export const MailFrame = ({ id }: { readonly id: string }) => (
  <HtmlFrame title="HTML of the mail" src={`${serviceUrl}/v1/email/${id}/html`} />
)
