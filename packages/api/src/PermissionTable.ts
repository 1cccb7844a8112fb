import { HttpApi } from "@effect/platform"
import { Context, Option } from "effect"
import { Permission } from "./Annotations.js"
import { Api } from "./Api.js"

/** What each operation of the declaration asks of a key, by method and path; null where an endpoint forgot to say. */
export const permissionTable: ReadonlyMap<string, typeof Permission.Service | null> = (() => {
  const table = new Map<string, typeof Permission.Service | null>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      table.set(
        `${endpoint.method} ${endpoint.path}`,
        Option.getOrNull(Context.getOption(mergedAnnotations, Permission))
      )
    }
  })
  return table
})()
