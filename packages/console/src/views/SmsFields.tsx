import { maxSmsSegments, segmentText } from "@switchboard/domain/sms/SmsText"
import { linkTo, paths } from "../app/Paths.js"
import { TextField } from "../components/Fields.js"
import { segmentsText } from "../components/Format.js"
import { type Content, entriesOf, filled, optionsOf, templateOr } from "./Content.js"
import { ContentFields, type ContentProps, fieldsOf, SendAtField, TagsField } from "./MessageFields.js"
import { channelNames } from "./MessageRow.js"
import { SenderField, useNumbers } from "./Sender.js"

/** The phone number of an entry, without spaces and other separators. */
export const phoneOf = (entry: string): string => entry.replace(/[\s()./-]/g, "")

/** The request to send a text message. */
export const smsOf = (content: Content) => ({
  channel: "sms" as const,
  ...optionsOf(content),
  to: entriesOf(content.to).map((entry) => ({ phone: phoneOf(entry) })),
  sms: { from: filled(content.from), ...templateOr(content, { text: content.text }) }
})

/** The encoding and the segments of a text, with the first character that requires UCS-2. */
const TextSize = ({ text }: { readonly text: string }) => {
  const { encoding, segments } = segmentText(text)
  const cause = [...text].find((character) => segmentText(character).encoding === "ucs2")
  return (
    <span class={segments.length > maxSmsSegments ? "problem" : undefined}>
      {segmentsText(encoding, segments.length)} of at most {maxSmsSegments}
      {cause !== undefined && `, because of “${cause}”`}
    </span>
  )
}

interface NumberNoticeProps {
  readonly channel: "sms" | "whatsapp"
  /** The numbers of the channel; undefined if they are not known. */
  readonly numbers: ReadonlyArray<string> | undefined
}

/** A notice for an organization without a number of the channel. */
export const NumberNotice = ({ channel, numbers }: NumberNoticeProps) =>
  numbers?.length !== 0 ? null : (
    <p class="notice" role="status">
      <span>
        The organization has no number for {channelNames[channel]}. <a href={linkTo(paths.numbers, {})}>Add one</a>{" "}
        first.
      </span>
    </p>
  )

/** The fields of a text message. */
export const SmsFields = (props: ContentProps) => {
  const { change, content } = props
  const fieldOf = fieldsOf(props)
  const numbers = useNumbers("sms")
  return (
    <>
      <NumberNotice channel="sms" numbers={numbers} />
      <SenderField value={content.from} change={(from) => change({ from })} senders={numbers ?? []} />
      <TextField
        label="To"
        {...fieldOf("to")}
        lines={2}
        required
        placeholder="+49 151 23456789, +44 7400 123456"
        hint="At most 50 phone numbers with the country code. Each gets its own text."
      />
      <ContentFields {...props} channel="sms">
        <TextField label="Text" {...fieldOf("text")} lines={5} required hint={<TextSize text={content.text} />} />
      </ContentFields>
      <TagsField {...props} />
      <SendAtField {...props} />
    </>
  )
}
