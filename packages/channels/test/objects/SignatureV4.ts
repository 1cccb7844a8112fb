import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage } from "node:http"

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

interface Claimed {
  readonly credential: string
  readonly names: string
  readonly signature: string
  readonly date: string
  readonly payload: string
}

const claimedIn = ({ headers }: IncomingMessage, query: URLSearchParams): Claimed => {
  const [, credential, names, signature] =
    /Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? "") ?? []
  return {
    credential: credential ?? query.get("X-Amz-Credential") ?? "",
    names: names ?? query.get("X-Amz-SignedHeaders") ?? "",
    signature: signature ?? query.get("X-Amz-Signature") ?? "",
    date: String(headers["x-amz-date"] ?? query.get("X-Amz-Date") ?? ""),
    payload: String(headers["x-amz-content-sha256"] ?? "UNSIGNED-PAYLOAD")
  }
}

const momentOf = (date: string) => Date.parse(date.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5"))

/**
 * What is wrong with the signature of a request, by Amazon's description of it (SigV4) and not by the library that made
 * it; null if nothing is.
 */
export const signatureProblem = (request: IncomingMessage, accessKeyId: string, secret: string): string | null => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://any")
  const { credential, date, names, payload, signature } = claimedIn(request, searchParams)
  const [key = "", day = "", region = "", service = "", end = ""] = credential.split("/")
  if (key !== accessKeyId) return "InvalidAccessKeyId"
  const lasts = Number(searchParams.get("X-Amz-Expires") ?? 900) * 1000
  if (Math.abs(Date.now() - momentOf(date)) > lasts) return "AccessDenied"
  const query = [...searchParams]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map((pair) => pair.map(encoded).join("="))
    .sort()
    .join("&")
  const canonical = [
    request.method,
    pathname.split("/").map(decodeURIComponent).map(encoded).join("/"),
    query,
    ...names.split(";").map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
    "",
    names,
    payload
  ].join("\n")
  const digest = createHash("sha256").update(canonical).digest("hex")
  const signing = [day, region, service, end].reduce<string | Buffer>(
    (left, right) => hmac(left, right),
    `AWS4${secret}`
  )
  const expected = hmac(signing, ["AWS4-HMAC-SHA256", date, [day, region, service, end].join("/"), digest].join("\n"))
  return expected.toString("hex") === signature ? null : "SignatureDoesNotMatch"
}
