import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage } from "node:http"

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

interface SignatureFields {
  readonly credential: string
  readonly names: string
  readonly signature: string
  readonly date: string
  readonly payload: string
}

const signatureFields = ({ headers }: IncomingMessage, query: URLSearchParams): SignatureFields => {
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

const epochMillis = (date: string) => Date.parse(date.replace(/(....)(..)(..T..)(..)(..Z)/, "$1-$2-$3:$4:$5"))

/**
 * Verifies the signature of a request after Amazon's specification (SigV4), independently of the library that signs.
 * Returns the S3 error code; null for a valid signature.
 */
export const signatureProblem = (request: IncomingMessage, accessKeyId: string, secret: string): string | null => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://any")
  const { credential, date, names, payload, signature } = signatureFields(request, searchParams)
  const [key = "", day = "", region = "", service = "", end = ""] = credential.split("/")
  if (key !== accessKeyId) return "InvalidAccessKeyId"
  const lifetimeMs = Number(searchParams.get("X-Amz-Expires") ?? 900) * 1000
  if (Math.abs(Date.now() - epochMillis(date)) > lifetimeMs) return "AccessDenied"
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
