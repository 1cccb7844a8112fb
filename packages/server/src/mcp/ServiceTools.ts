import type { Switchboard } from "@switchboard/client/Switchboard"
import { DateRangeParams } from "@switchboard/domain/analytics/DateRange"
import { ValidationError } from "@switchboard/domain/Errors"
import { CreateBlock } from "@switchboard/domain/email/blocks/Block"
import { CreateTemplate, TemplateFilters } from "@switchboard/domain/email/templates/Template"
import { Effect, Option, Schema, Stream } from "effect"
import { agentTool, pageOf, paging } from "./AgentTool.js"

const listTemplates = agentTool({
  name: "list_templates",
  title: "List templates",
  description:
    "Lists templates, newest first, with their variables. Before a change of a template, read its parts with `withContent`.",
  change: "none",
  fieldsOf: "TemplateFilters",
  parameters: Schema.Struct({
    ...TemplateFilters.fields,
    search: TemplateFilters.fields.search.annotations({ description: "Part of the name or subject. Default: all." }),
    withContent: Schema.optional(
      Schema.Boolean.annotations({ description: "Whether the HTML and the plain text are returned. Default: false." })
    ),
    ...paging
  }),
  call: (client, { channel, limit, page, search, withContent = false }) =>
    Effect.map(
      client.templates.list({
        urlParams: {
          filters: { ...(channel === undefined ? {} : { channel }), ...(search === undefined ? {} : { search }) },
          ...pageOf({ limit, page })
        }
      }),
      ({ items, pagination }) => ({
        templates: items.map(({ channel, html, id, name, subject, text, updatedAt, variables, version }) => ({
          id,
          name,
          channel,
          subject,
          variables,
          version,
          updatedAt,
          ...(withContent ? { html, text } : {})
        })),
        pagination
      })
    )
})

const templateNamed = (client: Switchboard, name: string) =>
  client.templates.list.all({ urlParams: { filters: { search: name } } }).pipe(
    Stream.filter((template) => template.name === name),
    Stream.runHead
  )

const saveTemplate = agentTool({
  name: "save_template",
  title: "Create or change a template",
  description:
    "Creates a template, or changes the given parts of the template with this name. Earlier versions are kept. Parts are Mustache: `{{name}}` is a variable. An e-mail has `subject` and `html`; a template of `sms` or `whatsapp` has only `text`.",
  change: "replaces",
  fieldsOf: "CreateTemplate",
  parameters: Schema.Struct(CreateTemplate.from.fields),
  call: (client, { channel, name, ...parts }) =>
    Effect.gen(function* () {
      const present = yield* templateNamed(client, name)
      if (Option.isNone(present)) {
        const payload = { name, ...parts, ...(channel === undefined ? {} : { channel }) }
        const { id, variables, version } = yield* client.templates.create({ payload })
        return { outcome: "created", id, version, variables }
      }
      if (channel !== undefined && channel !== present.value.channel) {
        return yield* new ValidationError({
          message: "The parameters are invalid",
          fields: { channel: [`must be ${present.value.channel}, or choose another name`] }
        })
      }
      const path = { id: present.value.id }
      const { id, variables, version } = yield* client.templates.update({ path, payload: parts })
      return { outcome: "changed", id, version, variables }
    })
})

const blockAddress = agentTool({
  name: "block_address",
  title: "Block an address or a domain",
  description:
    "Blocks all mail to an address or a domain, or with `category` mail of that category. Give either `email` or `domain`. Accepted messages that are not sent yet are affected too.",
  change: "replaces",
  fieldsOf: "CreateBlock",
  parameters: Schema.Struct(CreateBlock.from.fields),
  call: (client, payload) => client.blocks.create({ payload })
})

const figures = agentTool({
  name: "figures",
  title: "Figures of a range",
  description:
    "Returns the figures of a range, by default the last 30 days: totals, counts and cost by channel, failures by reason, and the rates of deliveries, bounces, complaints, reads and clicks of e-mail. `email` is null if the key lacks the permission `email.read`.",
  change: "none",
  fieldsOf: "analytics.stats",
  parameters: Schema.Struct(DateRangeParams),
  call: (client, urlParams) =>
    Effect.all(
      {
        totals: client.analytics.stats({ urlParams }),
        channels: client.analytics.channelStats({ urlParams }),
        failures: client.analytics.failures({ urlParams }),
        email: client.emailStats.get({ urlParams }).pipe(Effect.catchTag("ForbiddenError", () => Effect.succeed(null)))
      },
      { concurrency: 4 }
    )
})

const doctor = agentTool({
  name: "doctor",
  title: "Examine the installation",
  description:
    "Returns the findings of `switchboard doctor` with their remedies, the queues, and the state of relays and destinations. The key needs the permission `system.read`.",
  change: "none",
  fieldsOf: "system.status",
  parameters: Schema.Struct({}),
  call: (client) =>
    Effect.map(client.system.status({}), ({ findings, ...status }) => ({
      problems: findings.filter(({ level }) => level !== "ok"),
      passed: findings.filter(({ level }) => level === "ok").map(({ subject }) => subject),
      ...status
    }))
})

/** The tools about templates, blocks, figures and the installation. */
export const serviceTools = [listTemplates, saveTemplate, blockAddress, figures, doctor]
