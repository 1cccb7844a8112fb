import { htmlOfText } from "@switchboard/domain/messages/HtmlOfText"
import type { EmailContent } from "@switchboard/domain/messages/Message"
import type { SendRequest } from "@switchboard/domain/messages/SendRequest"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import type { Templates } from "../../email/templates/Templates.js"
import { plainText } from "./PlainText.js"

/** The content of a message, with the template and version that it was rendered from. */
export interface EmailBody {
  readonly subject: string
  readonly html: string
  readonly text: string
  readonly templateId?: string
  readonly templateVersion?: number
}

/** The content of a stored message. */
export const storedBody = ({ html, subject, templateId, templateVersion, text }: EmailContent): EmailBody => ({
  subject,
  html,
  text,
  ...(templateId === undefined ? {} : { templateId }),
  ...(templateVersion === undefined ? {} : { templateVersion })
})

/** The content that the request itself has. */
export const inlineBody = ({ email }: SendRequest): EmailBody => {
  const html = email.html ?? (email.text === undefined ? "" : htmlOfText(email.text))
  return { subject: email.subject ?? "", html, text: email.text ?? plainText(html) }
}

/** The content of a request, rendered from a template. */
export const renderedBody =
  (templates: Templates) =>
  (organization: OrganizationId, templateId: string, { email: { templateData = {}, ...inline } }: SendRequest) =>
    Effect.map(
      templates.render(organization, templateId, templateData, inline),
      ({ version, ...said }): EmailBody => ({ ...said, templateId, templateVersion: version })
    )
