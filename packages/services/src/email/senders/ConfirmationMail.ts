import type { SendOrReply } from "@switchboard/domain/messages/SendRequest"
import { unsignedToken } from "./ConfirmationToken.js"
import type { StoredSender } from "./ManagedSenderRepo.js"

/** Where a person confirms, below the service's address. */
export const confirmationPath = "/v1/email/senders/confirm"

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/**
 * The mail that asks an address whether it wants to be sent from. Nothing in it is in a caller's words but the address:
 * it goes to somebody who may know nothing of the caller.
 */
export const confirmationMail = (
  { email, id, organizationId }: StoredSender,
  nonce: string,
  publicUrl: string
): SendOrReply => {
  const { headers, token } = unsignedToken(organizationId, id, nonce)
  const link = `${publicUrl}${confirmationPath}?token=${token}`
  return {
    channel: "email",
    to: [{ email }],
    isAutomated: true,
    email: {
      subject: "Confirm this address as a sender",
      html: `<p>Somebody asked to send e-mail from <b>${escaped(email)}</b>.</p>
<p>If that is right, confirm it within 48 hours:</p>
<p><a href="${escaped(link)}">${escaped(link)}</a></p>
<p>If you know nothing of this, do nothing: no mail is sent from your address.</p>`,
      text: `Somebody asked to send e-mail from ${email}.

If that is right, confirm it within 48 hours:

${link}

If you know nothing of this, do nothing: no mail is sent from your address.
`,
      headers: { ...headers, "Auto-Submitted": "auto-generated" }
    }
  }
}
