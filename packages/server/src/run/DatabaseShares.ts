import { embeddedPostgres } from "@switchboard/store/embedded/EmbeddedPostgres"
import { Effect, Option } from "effect"
import type { Settings } from "../Settings.js"

/** The part of a process's database connections that is for work, where it also answers requests. */
const workShare = 0.3

/** One database, and how the connections to it are shared out: requests never wait for those of work, nor work for theirs. */
export const databaseShares = (settings: Settings, parts: { readonly api: boolean; readonly worker: boolean }) =>
  Option.match(settings.databaseUrl, {
    onSome: Effect.succeed,
    onNone: () => Effect.map(embeddedPostgres(settings), ({ url }) => url)
  }).pipe(
    Effect.map((url) => {
      const all = settings.databasePoolSize
      const work = Math.max(1, Math.floor(all * workShare))
      const share = (databasePoolSize: number): Settings => ({
        ...settings,
        databaseUrl: Option.some(url),
        databasePoolSize
      })
      return {
        /** For requests, and for all there is to do where nobody asks. */
        first: share(parts.api && parts.worker ? all - work : all),
        /** For work beside requests. */
        beside: parts.api && parts.worker ? Option.some(share(work)) : Option.none()
      }
    })
  )
