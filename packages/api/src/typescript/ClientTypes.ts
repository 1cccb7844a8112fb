import { HttpApi, OpenApi } from "@effect/platform"
import { eventEnvelope } from "@switchboard/domain/events/EventCatalog"
import { eventTypes } from "@switchboard/domain/events/EventType"
import { Context, Option, type Schema, SchemaAST } from "effect"
import { Api } from "../Api.js"
import { ruleOf } from "../OperationRules.js"
import { parameterDescription } from "../openapi/DescribeFields.js"
import { eventDescriptions, eventSchemaName } from "../openapi/Webhooks.js"
import { comment, coreOf, indent, SchemaTypes } from "./SchemaTypes.js"

const start = "// Made from the declaration of the API by the build."

const typeName = (group: string) => `${group.charAt(0).toUpperCase()}${group.slice(1)}Operations`

const textOf = <Tag>(annotations: Context.Context<never>, tag: Context.Tag<Tag, string>) =>
  Option.toArray(Context.getOption(annotations, tag))

/** An endpoint of the API with its group, annotations and errors. */
type Reflected = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]

/** A part of a request. It is optional if all of its fields are. */
const partOf = (types: SchemaTypes, operationId: string, name: string, schema: Option.Option<Schema.Schema.All>) =>
  Option.match(schema, {
    onNone: () => "",
    onSome: ({ ast }) => {
      const core = coreOf(ast)
      const isOptional = SchemaAST.isTypeLiteral(core) && core.propertySignatures.every((field) => field.isOptional)
      const type =
        name !== "payload" && SchemaAST.isTypeLiteral(core)
          ? types.objectOf(core, (field) => parameterDescription(operationId, field), operationId)
          : types.typeOf(ast, operationId)
      return `readonly ${name}${isOptional ? "?" : ""}: ${type}\n`
    }
  })

const methodOf = (types: SchemaTypes, { endpoint, errors, group, mergedAnnotations }: Reflected) => {
  const id = `${group.identifier}.${endpoint.name}`
  const { headersSchema, pathSchema, payloadSchema, successSchema, urlParamsSchema } = endpoint
  const rule = ruleOf(endpoint)
  const text = [
    ...textOf(mergedAnnotations, OpenApi.Summary).map((summary) => `${summary}.`),
    ...textOf(mergedAnnotations, OpenApi.Description),
    ...(rule?.permission ? [`Permission: \`${rule.permission}\`.`] : [])
  ].join("\n\n")
  const parts = [
    partOf(types, id, "path", pathSchema),
    partOf(types, id, "headers", headersSchema),
    partOf(types, id, "urlParams", urlParamsSchema),
    partOf(types, id, "payload", payloadSchema)
  ].join("")
  const request = parts === "" ? "Record<never, never>" : `{\n${indent(parts)}}`
  const failures = [
    ...[...errors.values()].flatMap(({ ast }) => Option.toArray(ast)).flatMap((error) => types.errorsOf(error)),
    "CallError"
  ].join(" | ")
  return `${comment(text)}readonly ${endpoint.name}: Call<${request}, ${types.typeOf(successSchema.ast, id)}, ${failures}>\n`
}

/** The module with the types of the client: its operations, their requests, responses and errors, and all events. */
export const clientTypes = (): string => {
  const types = new SchemaTypes()
  const methods = new Map<string, string>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: (endpoint) => {
      const { identifier } = endpoint.group
      methods.set(identifier, `${methods.get(identifier) ?? ""}${methodOf(types, endpoint)}`)
    }
  })
  const groups = [...methods].map(([name, text]) => `export interface ${typeName(name)} {\n${indent(text)}}`)
  const events = eventTypes.map((type) => {
    const annotations = { identifier: eventSchemaName(type), description: `\`${type}\`: ${eventDescriptions[type]}` }
    return types.typeOf(eventEnvelope(type).annotations(annotations).ast, "Event")
  })
  const members = [...methods.keys()].map((name) => `readonly ${name}: ${typeName(name)}\n`).join("")
  const declarations = [...types.declarations].sort(([first], [second]) => (first < second ? -1 : 1))
  const sections = [
    start,
    `import type { ${[...types.errors].sort().join(", ")} } from "@switchboard/domain/Errors"`,
    `import type { FileContent } from "@switchboard/domain/messages/Attachment"`,
    `import type { DateTime } from "effect"`,
    `import type { Call } from "./operations/Call.js"`,
    `import type { CallError } from "./operations/CallError.js"`,
    `/** The operations of the API by group. */\nexport interface Operations {\n${indent(members)}}`,
    ...groups,
    `/** The events that this version of the client defines, discriminated by \`type\`. */`,
    `export type KnownEvent = ${events.join(" | ")}`,
    ...declarations.map(([, text]) => text)
  ]
  return `${sections.join("\n")}\n`
}
