import { htmlOfText } from "../messages/HtmlOfText.js"
import type { Draft, DraftRecipient } from "./Draft.js"

/** Whoever has not written anything yet has written nothing. */
const filled = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const recipientOf = ({ email, name, participantId }: DraftRecipient) => ({
  ...(filled(email) === undefined ? { contactId: participantId } : { email }),
  name: filled(name)
})

/** Without what is not given: it would be taken for a value. */
const given = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/**
 * The send that a draft stands for, but for its attachments, to be judged as one that a caller wrote. The body is plain
 * text. A template is named by its id here: who knows it by its name has looked it up.
 */
export const sendOfDraft = ({ channel, content, recipients }: Draft, templateId: string | undefined): unknown => {
  const body = filled(content.body)
  const text = filled(content.text) ?? body
  const plain = templateId === undefined ? text : body
  return {
    channel,
    to: recipients.map((recipient) => given(recipientOf(recipient))),
    email: given({
      subject: filled(content.subject),
      html: filled(content.html) ?? (plain === undefined ? undefined : htmlOfText(plain)),
      text,
      templateId,
      // Whoever has not chosen a template yet may have filled in what one would ask for.
      templateData: templateId === undefined ? undefined : content.variables
    })
  }
}

type Fields = Readonly<Record<string, ReadonlyArray<string>>>

/** The fields of a send, and what they are in a draft. */
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

/** A send has two ways to name a recipient, and says so; a draft without either lacks an address. */
const unnamed = /^to\.(\d+)$/

/**
 * What is wrong with the send that a draft stands for, by the draft's own fields. Of a channel that nothing is sent by,
 * nothing else is to be said: what it lacks, it may lack for e-mail alone.
 */
export const inDraftsNames = (fields: Fields): Fields =>
  fields.channel === undefined
    ? Object.fromEntries(
        Object.entries(fields).map(([path, sentences]) =>
          unnamed.test(path)
            ? [path.replace(unnamed, "recipients.$1.email"), ["is required"]]
            : [nameInDraft(path), sentences]
        )
      )
    : { channel: fields.channel }
