import { createHash, createHmac } from "node:crypto"
import type { ServerResponse } from "node:http"
import { Effect } from "effect"
import { type Received, receiver } from "../webhooks/Receiver.js"

/** The account of the tests. */
export const cloudAccount = {
  token: "EAAtoken",
  phoneNumberId: "106540352242922",
  appSecret: "app-secret",
  verifyToken: "verify-token"
}

const respond = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8" })
  response.end(JSON.stringify(body))
}

/** Responds with an error as the Graph API does. */
export const respondError = (response: ServerResponse, status: number, code: number, message = "An error") =>
  respond(response, status, {
    error: { message: `(#${code}) ${message}`, type: "OAuthException", code, fbtrace_id: "AbC" }
  })

/** Responds to a message that the API takes. */
export const respondTaken = (response: ServerResponse, id: string) =>
  respond(response, 200, { messaging_product: "whatsapp", contacts: [], messages: [{ id }] })

/** The settings of a service that sends over the API at a URL. */
export const cloudSettings = (url: string) => ({
  WHATSAPP_API_URL: `${url}/v23.0`,
  WHATSAPP_TOKEN: cloudAccount.token,
  WHATSAPP_PHONE_NUMBER_ID: cloudAccount.phoneNumberId,
  WHATSAPP_APP_SECRET: cloudAccount.appSecret,
  WHATSAPP_VERIFY_TOKEN: cloudAccount.verifyToken
})

/** The value of `X-Hub-Signature-256` for a body, by the text of Meta's documentation. */
export const signatureOf = (body: string, secret = cloudAccount.appSecret) =>
  `sha256=${createHmac("sha256", secret).update(Buffer.from(body, "utf8")).digest("hex")}`

/** The body of a callback with this value. */
export const callbackBody = (number: string, value: object) =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: {
                display_phone_number: number.replace("+", ""),
                phone_number_id: cloudAccount.phoneNumberId
              },
              ...value
            }
          }
        ]
      }
    ]
  })

/** Posts a callback with a signature; returns the status of the response. */
export const postCallback = (url: string, body: string, signature: string | null = signatureOf(body)) =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(signature === null ? {} : { "X-Hub-Signature-256": signature })
      },
      body
    })
    await response.text()
    return response.status
  })

/** A received file at the API. */
export interface CloudFile {
  readonly octets: Uint8Array
  /** Replaces fields of the response that has the URL. */
  readonly described?: Readonly<Record<string, unknown>>
  /** Responses to the next requests for the octets, in place of the API's own. */
  readonly next?: Array<(response: ServerResponse) => void>
}

/** The messages and media edges of the Cloud API on loopback, as Meta documents them. */
export const cloudServer = Effect.gen(function* () {
  /** Responses to the next messages, in place of the API's own. */
  const next: Array<(response: ServerResponse) => void> = []
  const messages: Array<{ readonly id: string; readonly body: unknown }> = []
  const uploads: Array<Received> = []
  /** Received files by their ids. */
  const files = new Map<string, CloudFile>()
  const respondFile = (response: ServerResponse, host: string, id: string, part: string | undefined) => {
    const file = files.get(id)
    if (file === undefined) return respondError(response, 400, 100, `Object with ID '${id}' does not exist`)
    const { described, next: scripted = [], octets } = file
    if (part !== undefined) {
      const instead = scripted.shift()
      return instead === undefined ? response.end(octets) : instead(response)
    }
    respond(response, 200, {
      messaging_product: "whatsapp",
      url: `http://${host}/v23.0/${id}/octets?hash=a%2Fb`,
      mime_type: "image/jpeg",
      sha256: createHash("sha256").update(octets).digest("hex"),
      file_size: octets.byteLength,
      id,
      ...described
    })
  }
  const server = yield* receiver((response, request) => {
    const { body, headers, method, path } = request
    if (headers.authorization !== `Bearer ${cloudAccount.token}`) return respondError(response, 401, 190)
    const resource = `${method} ${path}`
    const number = `/v23.0/${cloudAccount.phoneNumberId}`
    if (resource === `GET ${number}?fields=display_phone_number`) {
      return respond(response, 200, { display_phone_number: "+1 555-010-0000", id: cloudAccount.phoneNumberId })
    }
    if (resource === `POST ${number}/media`) {
      uploads.push(request)
      return respond(response, 200, { id: `media-${uploads.length}` })
    }
    const [, fileId = "", part] = /^GET \/v23\.0\/(file-[^/?]+)(\/octets\?hash=a%2Fb)?$/.exec(resource) ?? []
    if (fileId !== "") return respondFile(response, headers.host ?? "", fileId, part)
    if (resource !== `POST ${number}/messages`) return respondError(response, 404, 100, "Unsupported request")
    const scripted = next.shift()
    if (scripted !== undefined) return scripted(response)
    const id = `wamid.${messages.length + 1}`
    messages.push({ id, body: JSON.parse(body) })
    respondTaken(response, id)
  })
  return { ...server, files, next, messages, uploads, settings: cloudSettings(server.url) }
})
