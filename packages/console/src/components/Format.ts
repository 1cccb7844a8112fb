/** A size in bytes as text: `1.5 kB`. */
export const byteSize = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** A number as text: `12,345`. */
export const numberText = (value: number): string => value.toLocaleString("en")

/** A number of things as text: `1 message`, `2 messages`. */
export const counted = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`

/** The encoding and the length of a text message: `GSM 03.38, 2 segments`. */
export const segmentsText = (encoding: "gsm7" | "ucs2", segments: number): string =>
  `${encoding === "gsm7" ? "GSM 03.38" : "UCS-2"}, ${counted(segments, "segment")}`

/** A text of at most `maxLength` characters. */
export const shortened = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`

/** A fraction as percent: `99.5 %`. */
export const percent = (fraction: number): string => `${(fraction * 100).toFixed(1).replace(/\.0$/, "")} %`

/** A duration as text: `250 ms`, `2.5 s`, `3 min`, `2.5 h`, `4.0 d`. */
export const durationText = (seconds: number): string => {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1_000)} ms`
  if (seconds < 10) return `${Number(seconds.toFixed(1))} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${(seconds / 3_600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} d`
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })
const sameYear = new Intl.DateTimeFormat("en", {
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hour12: false
})
const otherYear = new Intl.DateTimeFormat("en", { dateStyle: "medium" })

const minuteLength = 60_000
const hourLength = 60 * minuteLength
const dayLength = 24 * hourLength

/**
 * A time as text: relative within a day of `now`, in milliseconds. Only a planned time is ahead of now: the clock of the
 * service can be ahead of the browser's. A planned time that has come is now.
 */
export const relativeTime = (date: Date, now: number, isUpcoming = false): string => {
  const difference = date.getTime() - now
  if (isUpcoming && difference <= 0) return "now"
  const ahead = isUpcoming ? difference : Math.min(0, difference)
  const size = Math.abs(ahead)
  if (size < minuteLength) return ahead > 0 ? "in a moment" : "just now"
  if (size < hourLength) return relative.format(Math.trunc(ahead / minuteLength), "minute")
  if (size < dayLength) return relative.format(Math.trunc(ahead / hourLength), "hour")
  return (date.getFullYear() === new Date(now).getFullYear() ? sameYear : otherYear).format(date)
}

const twoDigits = (value: number): string => String(value).padStart(2, "0")

/** A time as the value of a `datetime-local` field, in the zone of the browser: `2026-11-23T16:30`. */
export const localTime = (date: Date): string =>
  `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`

/** The start of a day of the URL in the zone of the browser; undefined if the parameter is no day like `2026-11-28`. */
export const dayOf = (query: URLSearchParams, name: string): Date | undefined => {
  const text = query.get(name) ?? ""
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const date = new Date(`${text}T00:00`)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** The start of the next day. */
export const nextDay = (date: Date): Date => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1)

const names = new Intl.DisplayNames(["en"], { type: "region" })

/** The name of a country by its ISO 3166-1 alpha-2 code; other texts stay as they are. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)

/** An address with an optional display name. */
export interface Mailbox {
  readonly address: string
  readonly name?: string
}

/** Parses `ada@example.com`, or an address with a name: `Ada <ada@example.com>`. */
export const parseMailbox = (text: string): Mailbox => {
  const [, name = "", address = text.trim()] = /^(.*?)\s*<([^<>]+)>$/.exec(text.trim()) ?? []
  return name === "" ? { address } : { address, name: name.replace(/^"(.*)"$/, "$1") }
}

/** The text that `parseMailbox` parses. */
export const mailboxText = (address: string, name: string | undefined): string =>
  name === undefined || name === "" ? address : `${name} <${address}>`

const id = /^<?([\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})(?:@[^\s<>]*>?)?$/i

/** The id that a text consists of; also that of a message in the Message-ID that the service writes: `<id@domain>`. */
export const idIn = (text: string): string | undefined => id.exec(text.trim())?.[1]?.toLowerCase()
