import { Effect } from "effect"
import type { Installation } from "./Installation.js"
import type { Operation } from "./Operations.js"

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const standsFor = (form: string, path: string) => new RegExp(`^${form.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)

/** Whether an operation has this method and path; `/things/and-on` is also the `/things/{id}` of another. */
const isRoute = (operations: ReadonlyArray<Operation>, method: string, path: string) => {
  const own = operations.filter((one) => one.path === path)
  const taken = own.length > 0 ? own : operations.filter((one) => standsFor(one.path, path))
  return taken.some((one) => one.method === method)
}

/** Where a path answers to a method that it does not have as if there were such a route. Nobody is asked for a key. */
export const strayMethods = ({ operations, send }: Installation["Type"]) =>
  Effect.gen(function* () {
    const paths = new Set(operations.flatMap(({ path }) => [path, `${path}/and-on`]))
    const strays = [...paths].flatMap((path) =>
      methods.filter((method) => !isRoute(operations, method, path)).map((method) => ({ method, path }))
    )
    const found = yield* Effect.forEach(
      strays,
      ({ method, path }) => {
        const address = path.replace(/\{\w+\}/g, "019e0000-0000-7000-8000-000000000000")
        const wanted = JSON.stringify({ resource: "route", id: address, _tag: "ResourceNotFoundError" })
        return Effect.map(send(method, address), ({ status, text }) =>
          status === 404 && text === wanted ? [] : [`${method} ${address} answers ${status} ${text}`]
        )
      },
      { concurrency: 6 }
    )
    return found.flat()
  })
