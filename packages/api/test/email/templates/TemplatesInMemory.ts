import { ConflictError } from "@switchboard/domain/Errors"
import type { Template } from "@switchboard/domain/email/templates/Template"
import { page } from "@switchboard/domain/Page"
import { TemplateRepo } from "@switchboard/services/email/templates/TemplateRepo"
import { Templates } from "@switchboard/services/email/templates/Templates"
import { Effect, Layer, Option } from "effect"

/** Templates as the use case makes them, kept as long as the test runs. */
export const templatesInMemory = () => {
  const rows = new Map<string, Template>()
  const store = (template: Template) =>
    [...rows.values()].some(({ id, name }) => id !== template.id && name === template.name)
      ? new ConflictError({ message: `The name ${template.name} is taken`, resource: "template" })
      : Effect.sync(() => void rows.set(template.id, template))
  const find: TemplateRepo["Type"]["find"] = (organization, id) =>
    Effect.sync(() =>
      Option.filter(Option.fromNullable(rows.get(id)), ({ organizationId }) => organizationId === organization)
    )
  return Templates.Default.pipe(
    Layer.provide(
      Layer.succeed(TemplateRepo, {
        insert: store,
        find,
        findByName: (organization, name) =>
          Effect.sync(() =>
            Option.fromNullable(
              [...rows.values()].find((row) => row.organizationId === organization && row.name === name)
            )
          ),
        list: (organization, { search = "" }, request) =>
          Effect.sync(() => {
            const own = [...rows.values()].filter(
              ({ name, organizationId }) => organizationId === organization && name.includes(search)
            )
            return page(own.reverse(), own.length, request)
          }),
        change: (organization, id, decide) =>
          Effect.flatMap(
            find(organization, id),
            Option.match({
              onNone: () => Effect.succeedNone,
              onSome: (present) => Effect.asSome(Effect.tap(decide(present), store))
            })
          ),
        remove: (organization, id) =>
          Effect.map(find(organization, id), (found) => Option.isSome(found) && rows.delete(id))
      })
    )
  )
}
