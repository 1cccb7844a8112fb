import type { MtaStsPolicy } from "@switchboard/services/messages/delivery/MtaStsPolicyRepo"
import { Array, Duration, Either, Option } from "effect"

/** What the file of a policy says. */
export interface MtaStsFile extends Pick<MtaStsPolicy, "mode" | "mx"> {
  readonly maxAge: Duration.Duration
}

/** RFC 8461 section 3.2: about one year. */
const maxMaxAge = Duration.seconds(31_557_600)

/** Bounds the memory of a policy. Published policies have fewer than 20. */
const maxPatterns = 100

const modes = ["none", "testing", "enforce"] as const

/**
 * The id of a domain's policy, from the TXT records of `_mta-sts`. None without exactly one valid record (RFC 8461 section
 * 3.1).
 */
export const mtaStsId = (texts: ReadonlyArray<string>): Option.Option<string> => {
  const [record, ...others] = texts.filter((text) => /^v=STSv1[ \t]*(;|$)/.test(text))
  if (record === undefined || others.length > 0) return Option.none()
  const [id] = record.split(";").flatMap((field) => /^[ \t]*id=([A-Za-z0-9]{1,32})[ \t]*$/.exec(field)?.[1] ?? [])
  return Option.fromNullable(id)
}

const pattern = /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/**
 * Parses the file of a policy (RFC 8461 section 3.2), with CRLF or LF. Unknown fields are ignored, and so are patterns that
 * are not host names: they match no mail server. Fails with one sentence.
 */
export const parseMtaStsFile = (text: string): Either.Either<MtaStsFile, string> => {
  const fields = text.split(/\r?\n/).flatMap((line) => {
    const [, key, value] = /^[ \t]*([A-Za-z0-9][\w.-]{0,31})[ \t]*:[ \t]*(.*?)[ \t]*$/.exec(line) ?? []
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
  // The first of a repeated field holds.
  const valueOf = (name: string) => fields.find(([key]) => key === name)?.[1]
  const mode = modes.find((one) => one === valueOf("mode"))
  const maxAge = valueOf("max_age") ?? ""
  const mx = fields.flatMap(([key, value]) => (key === "mx" ? [value.toLowerCase().replace(/\.$/, "")] : []))
  const valid = Array.dedupe(mx.filter((host) => host.length <= 255 && pattern.test(host)))
  if (valueOf("version") !== "STSv1") return Either.left("The policy has no version STSv1")
  if (mode === undefined) return Either.left("The policy has no valid mode")
  if (!/^\d{1,10}$/.test(maxAge)) return Either.left("The policy has no valid max_age")
  if (mx.length > maxPatterns) return Either.left(`The policy has more than ${maxPatterns} mx fields`)
  if (mode === "enforce" && valid.length === 0) return Either.left("The policy has no valid mx")
  return Either.right({ mode, mx: valid, maxAge: Duration.min(Duration.seconds(Number(maxAge)), maxMaxAge) })
}

/** Whether a pattern of the policy matches the mail server. `*.` stands for exactly one label (RFC 8461 section 4.1). */
export const matchesMx = (mx: ReadonlyArray<string>, host: string): boolean => {
  const name = host.toLowerCase().replace(/\.$/, "")
  const dot = name.indexOf(".")
  return mx.some((one) => (one.startsWith("*.") ? dot > 0 && name.slice(dot) === one.slice(1) : name === one))
}
