import { Api } from "@switchboard/api"
import { Option, Record, Schema, SchemaAST } from "effect"

const keyOf = (parameter: SchemaAST.Parameter): SchemaAST.Parameter =>
  parameter._tag === "Refinement" ? keyOf(parameter.from) : parameter

/**
 * A schema that asks for the form alone. What is refused is then refused by the service, in its words and order: one
 * kind of error, and a client that is older than the service forbids nothing that is allowed by now.
 */
const unjudged = (ast: SchemaAST.AST): SchemaAST.AST => {
  switch (ast._tag) {
    case "Refinement":
      return SchemaAST.annotations(unjudged(ast.from), ast.annotations)
    case "Transformation":
      return new SchemaAST.Transformation(unjudged(ast.from), unjudged(ast.to), ast.transformation, ast.annotations)
    case "Union":
      return SchemaAST.Union.make(ast.types.map(unjudged), ast.annotations)
    case "Suspend":
      return new SchemaAST.Suspend(() => unjudged(ast.f()), ast.annotations)
    case "TypeLiteral":
      return new SchemaAST.TypeLiteral(
        ast.propertySignatures.map(
          ({ annotations, isOptional, isReadonly, name, type }) =>
            new SchemaAST.PropertySignature(name, unjudged(type), isOptional, isReadonly, annotations)
        ),
        ast.indexSignatures.map(
          ({ isReadonly, parameter, type }) =>
            new SchemaAST.IndexSignature(keyOf(parameter), unjudged(type), isReadonly)
        ),
        ast.annotations
      )
    case "TupleType":
      return new SchemaAST.TupleType(
        ast.elements.map(
          ({ annotations, isOptional, type }) => new SchemaAST.OptionalType(unjudged(type), isOptional, annotations)
        ),
        ast.rest.map(({ annotations, type }) => new SchemaAST.Type(unjudged(type), annotations)),
        ast.isReadonly,
        ast.annotations
      )
    default:
      return ast
  }
}

const unjudgedSchema = ({ ast }: Schema.Schema.All): Schema.Schema.All => Schema.make(unjudged(ast))

/** What is as the original but for the changes: a declaration is no plain object that could be spread. */
const like = <A extends object>(original: A, changes: { readonly [Key in keyof A]?: unknown }): A =>
  new Proxy(original, {
    get: (target, name) => Reflect.get(Object.hasOwn(changes, name) ? changes : target, name)
  })

/** What a request of an operation consists of. */
type Requests = Readonly<
  Record<"pathSchema" | "urlParamsSchema" | "payloadSchema" | "headersSchema", Option.Option<Schema.Schema.All>>
>

const unjudgedEndpoints = (endpoints: Record.ReadonlyRecord<string, Requests>) =>
  Record.map(endpoints, (endpoint) =>
    like(endpoint, {
      pathSchema: Option.map(endpoint.pathSchema, unjudgedSchema),
      urlParamsSchema: Option.map(endpoint.urlParamsSchema, unjudgedSchema),
      payloadSchema: Option.map(endpoint.payloadSchema, unjudgedSchema),
      headersSchema: Option.map(endpoint.headersSchema, unjudgedSchema)
    })
  )

/** The interface with requests that only the service judges. */
export const UnjudgedApi = like(Api, {
  groups: Record.map(Api.groups, (group) => like(group, { endpoints: unjudgedEndpoints(group.endpoints) }))
})
