import { type IncomingMessage, request } from "node:http"
import { Effect } from "effect"
import { LiveApi } from "../LiveApi.js"

/** A response with its bytes as sent. fetch would decode them. */
export const rawResponse = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.flatMap(LiveApi, ({ baseUrl }) =>
    Effect.promise(async () => {
      const response = await new Promise<IncomingMessage>((resolve, reject) =>
        request(`${baseUrl}${path}`, { method, headers }, resolve).on("error", reject).end()
      )
      const bytes = Buffer.concat(await response.toArray())
      return { status: response.statusCode, headers: response.headers, bytes }
    })
  )
