import { Effect } from "effect"
import type { Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const matches = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)

/** Whether an operation has this method and path; `/things/and-on` is also the `/things/{id}` of another. */
const isRoute = (operations: ReadonlyArray<Operation>, method: string, path: string) => {
  const own = operations.filter((one) => one.path === path)
  const taken = own.length > 0 ? own : operations.filter((one) => matches(one.path, path))
  return taken.some((one) => one.method === method)
}

/** Paths that do not respond 404 to an undeclared method. The requests have no API key. */
export const undeclaredMethodProblems = ({ operations, send }: Installation["Type"]) =>
  Effect.gen(function* () {
    const paths = new Set(operations.flatMap(({ path }) => [path, `${path}/and-on`]))
    const undeclared = [...paths].flatMap((path) =>
      methods.filter((method) => !isRoute(operations, method, path)).map((method) => ({ method, path }))
    )
    const found = yield* Effect.forEach(
      undeclared,
      ({ method, path }) => {
        const address = path.replace(/\{\w+\}/g, "019e0000-0000-7000-8000-000000000000")
        const expected = JSON.stringify({ resource: "route", id: address, _tag: "ResourceNotFoundError" })
        return Effect.map(send(method, address), ({ status, text }) =>
          status === 404 && text === expected ? [] : [`${method} ${address} responds ${status} ${text}`]
        )
      },
      { concurrency: 6 }
    )
    return found.flat()
  })
