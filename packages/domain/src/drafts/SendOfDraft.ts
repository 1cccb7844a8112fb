import { htmlOfText } from "../messages/HtmlOfText.js"
import type { Draft, DraftRecipient } from "./Draft.js"

/** An empty text counts as missing. */
const filled = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const recipientOf = ({ email, name, participantId }: DraftRecipient) => ({
  ...(filled(email) === undefined ? { contactId: participantId } : { email }),
  name: filled(name)
})

/** Removes undefined fields: the schema of a send would treat them as present. */
const withoutUndefined = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/**
 * Converts a draft to a send request without attachments, for validation as a caller's request. The body is plain text.
 * The caller has resolved a template's name to its id.
 */
export const sendOfDraft = ({ channel, content, recipients }: Draft, templateId: string | undefined): unknown => {
  const body = filled(content.body)
  const text = filled(content.text) ?? body
  const plain = templateId === undefined ? text : body
  return {
    channel,
    to: recipients.map((recipient) => withoutUndefined(recipientOf(recipient))),
    email: withoutUndefined({
      subject: filled(content.subject),
      html: filled(content.html) ?? (plain === undefined ? undefined : htmlOfText(plain)),
      text,
      templateId,
      // Variables can be filled in before a template is chosen.
      templateData: templateId === undefined ? undefined : content.variables
    })
  }
}

type Fields = Readonly<Record<string, ReadonlyArray<string>>>

/** Patterns of send fields, and the corresponding draft fields. */
const names: ReadonlyArray<readonly [RegExp, string]> = [
  [/^to\.(\d+)\.contactId$/, "recipients.$1.participantId"],
  [/^to\.(\d+)\.(email|name)$/, "recipients.$1.$2"],
  [/^to/, "recipients"],
  [/^email\.from/, "from"],
  [/^email\.attachments.*/, "content.attachmentIds"],
  [/^(?:email\.)?templateData/, "content.variables"],
  [/^email\./, "content."]
]

const nameInDraft = (path: string): string => {
  const [pattern, name] = names.find(([pattern]) => pattern.test(path)) ?? [/^/, ""]
  return path.replace(pattern, name)
}

/** The error of a recipient with neither `email` nor `contactId`; in a draft the address is missing. */
const unnamed = /^to\.(\d+)$/

/**
 * Renames the fields of a send's validation errors to the fields of the draft. If the channel is invalid, only that
 * error is returned: the other errors are rules of the channel email.
 */
export const toDraftFields = (fields: Fields): Fields =>
  fields.channel === undefined
    ? Object.fromEntries(
        Object.entries(fields).map(([path, sentences]) =>
          unnamed.test(path)
            ? [path.replace(unnamed, "recipients.$1.email"), ["is required"]]
            : [nameInDraft(path), sentences]
        )
      )
    : { channel: fields.channel }
