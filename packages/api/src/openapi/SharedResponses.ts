import { Record } from "effect"

type Responses = Readonly<Record<string, unknown>>
type Paths<Operation extends { readonly responses: Responses }> = Readonly<
  Record<string, Readonly<Record<string, Operation>>>
>

const schemaReference = /"\$ref":"#\/components\/schemas\/(\w+Error)"/

/** The schema of an error in a response, and the response as text. */
const errorOf = (response: unknown) => {
  const text = JSON.stringify(response)
  const [, name] = schemaReference.exec(text) ?? []
  return name === undefined ? undefined : { name, text }
}

/**
 * The response of each error that most operations have, by the name of its schema, and the paths with references to it.
 * Without them, errors are half of the document.
 */
export const shareResponses = <Operation extends { readonly responses: Responses }>(paths: Paths<Operation>) => {
  const counts = new Map<string, { readonly name: string; readonly response: unknown; count: number }>()
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    for (const response of Object.values(responses)) {
      const error = errorOf(response)
      if (error === undefined) continue
      const known = counts.get(error.text) ?? { name: error.name, response, count: 0 }
      known.count++
      counts.set(error.text, known)
    }
  }
  const shared = new Map<string, unknown>()
  const byCount = [...counts].sort(([, one], [, other]) => other.count - one.count)
  const names = new Map<string, string>()
  for (const [text, { count, name, response }] of byCount) {
    if (count < 2 || shared.has(name)) continue
    shared.set(name, response)
    names.set(text, name)
  }
  return {
    responses: Object.fromEntries([...shared].sort(([one], [other]) => one.localeCompare(other))),
    paths: Record.map(paths, (methods) =>
      Record.map(methods, (operation) => ({
        ...operation,
        responses: Record.map(operation.responses, (response) => {
          const name = names.get(errorOf(response)?.text ?? "")
          return name === undefined ? response : { $ref: `#/components/responses/${name}` }
        })
      }))
    )
  }
}
