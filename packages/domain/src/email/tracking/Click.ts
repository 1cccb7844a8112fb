import { Schema } from "effect"
import { TimestampText } from "../../Timestamp.js"

/** A request for a tracked link of a message. */
export const Click = Schema.Struct({
  url: Schema.String.annotations({ description: "the link in the mail" }),
  recipient: Schema.String.annotations({ description: "the recipient of the mail with the link, an extension" }),
  at: TimestampText,
  userAgent: Schema.optional(Schema.String.annotations({ description: "the header `User-Agent` of the request" })),
  isLikelyBot: Schema.optional(
    Schema.Literal(true).annotations({
      description: "a scanner or another program made the request; left out for a click that counts"
    })
  )
}).annotations({ identifier: "Click" })
export type Click = typeof Click.Type

/** The maximum number of clicks that a message keeps. */
export const maxClicks = 100

/** The clicks with another one: the first ones stay, and the click of a person replaces the last one of a bot. */
export const withClick = (clicks: ReadonlyArray<Click>, click: Click): ReadonlyArray<Click> => {
  if (clicks.length < maxClicks) return [...clicks, click]
  const replaced = click.isLikelyBot ? -1 : clicks.findLastIndex(({ isLikelyBot }) => isLikelyBot)
  return replaced === -1 ? clicks : [...clicks.slice(0, replaced), ...clicks.slice(replaced + 1), click]
}

/** The clicks that count, by persons. */
export const clicksByPersons = (clicks: ReadonlyArray<Click>): ReadonlyArray<Click> =>
  clicks.filter(({ isLikelyBot }) => !isLikelyBot)
