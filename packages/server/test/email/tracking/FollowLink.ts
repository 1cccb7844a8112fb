import { Effect } from "effect"
import { LiveService } from "../../LiveService.js"

/** Follows a link at the service under test, also if the link has another host. */
export const follow = (link: string, userAgent: string) =>
  Effect.flatMap(LiveService, ({ baseUrl }) =>
    Effect.promise(async () => {
      const { pathname } = new URL(link)
      const response = await fetch(`${baseUrl}${pathname}`, {
        redirect: "manual",
        headers: { "User-Agent": userAgent }
      })
      return [response.status, response.headers.get("location")]
    })
  )
