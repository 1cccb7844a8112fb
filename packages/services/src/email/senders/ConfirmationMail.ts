import type { SendOrReply } from "@switchboard/domain/messages/SendRequest"
import { unsignedToken } from "./ConfirmationToken.js"
import type { StoredSender } from "./ManagedSenderRepo.js"

/** The path of the confirmation page. */
export const confirmationPath = "/v1/email/senders/confirm"

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/**
 * The mail with the link that confirms a sender address. Apart from the address it contains no text of the caller,
 * since its recipient may not know the caller.
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
      html: `<p>A request was made to send e-mail from <b>${escaped(email)}</b>.</p>
<p>If that is right, confirm it within 48 hours:</p>
<p><a href="${escaped(link)}">${escaped(link)}</a></p>
<p>If you did not expect this mail, ignore it: no mail is sent from your address.</p>`,
      text: `A request was made to send e-mail from ${email}.

If that is right, confirm it within 48 hours:

${link}

If you did not expect this mail, ignore it: no mail is sent from your address.
`,
      headers: { ...headers, "Auto-Submitted": "auto-generated" }
    }
  }
}
