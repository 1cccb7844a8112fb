import { PublicUrl } from "@switchboard/services/PublicUrl"
import { Layer, Option, Redacted } from "effect"
import type { Settings } from "../Settings.js"

/** Where links lead: `PUBLIC_URL`, or where the service listens if nobody said. */
export const PublicUrlLive = ({ host, port, publicUrl }: Settings) =>
  Layer.succeed(
    PublicUrl,
    Option.match(publicUrl, {
      onNone: () => `http://${host}:${port}`,
      onSome: (url) => Redacted.value(url).replace(/\/+$/, "")
    })
  )
