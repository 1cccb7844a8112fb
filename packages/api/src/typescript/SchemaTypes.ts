import { ApiError } from "@switchboard/domain/Errors"
import { Array, Option, SchemaAST } from "effect"
import { fieldDescription } from "../openapi/DescribeFields.js"

/** Text as a documentation comment (JSDoc), with a line break at the end. Empty without text. */
export const comment = (text: string | undefined): string => {
  if (text === undefined || text === "") return ""
  const lines = text.replaceAll("*/", "*\\/").split("\n")
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`
}

/** Text with each line indented by two spaces. */
export const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ")

/** Types without parts. */
const simple: Partial<Record<SchemaAST.AST["_tag"], string>> = {
  BooleanKeyword: "boolean",
  NeverKeyword: "never",
  NumberKeyword: "number",
  StringKeyword: "string",
  UndefinedKeyword: "undefined",
  UnknownKeyword: "unknown",
  VoidKeyword: "void"
}

/** Types of classes by the constructor that their schemas name. */
const ofClasses: Readonly<Record<string, string>> = {
  FileContent: "FileContent",
  Uint8Array: "Uint8Array",
  "effect/DateTime.Utc": "DateTime.Utc"
}

/**
 * The next schema towards the type of a schema's values: the result of a transformation, the
 * base of a filter or the type that it narrows to.
 */
const next = (ast: SchemaAST.AST): Option.Option<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Transformation":
      return Option.some(ast.to)
    case "Refinement":
      return Option.orElseSome(SchemaAST.getSurrogateAnnotation(ast), () => ast.from)
    case "Declaration":
      return SchemaAST.getSurrogateAnnotation(ast)
    case "Suspend":
      return Option.some(ast.f())
    default:
      return Option.none()
  }
}

/** A schema and the schemas that it wraps, down to the one with the type of its values. */
const layersOf = (ast: SchemaAST.AST): Array.NonEmptyReadonlyArray<SchemaAST.AST> => [
  ast,
  ...Option.match(next(ast), { onNone: () => [], onSome: layersOf })
]

/** The schema with the type of a schema's values. */
export const coreOf = (ast: SchemaAST.AST): SchemaAST.AST => Array.lastNonEmpty(layersOf(ast))

const nameOf = (ast: SchemaAST.AST) => Array.findFirst(layersOf(ast), SchemaAST.getIdentifierAnnotation)

const builtInDescriptions = new Set(
  [SchemaAST.stringKeyword, SchemaAST.numberKeyword, SchemaAST.booleanKeyword, SchemaAST.objectKeyword].flatMap((ast) =>
    Option.toArray(SchemaAST.getDescriptionAnnotation(ast))
  )
)

/** The description of a schema, except that of a built-in type. */
const descriptionOf = (ast: SchemaAST.AST): string | undefined =>
  (SchemaAST.isUnion(ast) ? [ast, ...ast.types.flatMap(layersOf)] : layersOf(ast))
    .flatMap((layer) => Option.toArray(SchemaAST.getDescriptionAnnotation(layer)))
    .find((description) => !builtInDescriptions.has(description))

const errorNames: ReadonlySet<string> = new Set(
  SchemaAST.isUnion(ApiError.ast) ? ["ApiError", ...Array.filterMap(ApiError.ast.types, nameOf)] : []
)

const isNamed = ({ _tag }: SchemaAST.AST) => ["TupleType", "TypeLiteral", "Union"].includes(_tag)

/** A property name, in quotes if it is not an identifier. */
const key = (name: PropertyKey) => (/^[A-Za-z_$][\w$]*$/.test(String(name)) ? String(name) : JSON.stringify(name))

/** Writes the types of schemas' values. Schemas with an identifier become declarations. */
export class SchemaTypes {
  /** Declarations by name. */
  readonly declarations = new Map<string, string>()
  /** The names of the error classes that the types use. */
  readonly errors = new Set<string>()

  /** The names of the error classes of a union. The platform's own error is never sent. */
  errorsOf(ast: SchemaAST.AST): ReadonlyArray<string> {
    const names = (SchemaAST.isUnion(ast) ? ast.types : [ast]).flatMap((error) => Option.toArray(nameOf(error)))
    const sent = names.filter((name) => errorNames.has(name))
    for (const name of sent) this.errors.add(name)
    return sent
  }

  /** The type of a schema. Its fields without a schema name are described as those of `owner`. */
  typeOf(ast: SchemaAST.AST, owner: string): string {
    const name = Option.getOrUndefined(nameOf(ast))
    const core = coreOf(ast)
    if (name !== undefined && errorNames.has(name)) {
      this.errors.add(name)
      return name
    }
    if (name === undefined || !isNamed(core)) return this.structure(core, owner)
    this.declare(name, core, descriptionOf(ast))
    return name
  }

  /** The type of an object, with the description of each field. */
  objectOf(
    { indexSignatures, propertySignatures }: SchemaAST.TypeLiteral,
    describe: (field: string) => string | undefined,
    owner: string
  ) {
    const fields = propertySignatures.map(({ annotations, isOptional, name, type }) => {
      const description =
        describe(String(name)) ??
        Option.getOrUndefined(SchemaAST.getDescriptionAnnotation({ annotations })) ??
        descriptionOf(type)
      return `${comment(description)}readonly ${key(name)}${isOptional ? "?" : ""}: ${this.typeOf(type, owner)}\n`
    })
    const others = indexSignatures.map(
      ({ parameter, type }) => `readonly [key: ${this.typeOf(parameter, owner)}]: ${this.typeOf(type, owner)}\n`
    )
    return `{\n${indent([...fields, ...others].join(""))}}`
  }

  private declare(name: string, core: SchemaAST.AST, description: string | undefined) {
    const before = this.declarations.get(name)
    // Before the type is written: it can refer to itself.
    if (before === undefined) this.declarations.set(name, "")
    if (before === "") return
    const type = this.structure(core, name)
    const start =
      SchemaAST.isTypeLiteral(core) && core.indexSignatures.length === 0 ? `interface ${name}` : `type ${name} =`
    const declaration = `${comment(description)}export ${start} ${type}`
    if (before !== undefined && before !== declaration) throw new Error(`Two schemas are named ${name}`)
    this.declarations.set(name, declaration)
  }

  private structure(ast: SchemaAST.AST, owner: string): string {
    switch (ast._tag) {
      case "Literal":
        return JSON.stringify(ast.literal)
      case "Union":
        return [...new Set(ast.types.map((type) => this.typeOf(type, owner)))].join(" | ")
      case "TypeLiteral":
        return this.objectOf(ast, (field) => fieldDescription(owner, field), owner)
      case "TupleType":
        return this.list(ast, owner)
      default: {
        const known =
          simple[ast._tag] ?? ofClasses[Option.getOrUndefined(SchemaAST.getTypeConstructorAnnotation(ast))?._tag ?? ""]
        if (known === undefined) throw new Error(`A field of ${owner} has no TypeScript type: ${ast}`)
        return known
      }
    }
  }

  private list({ elements, rest }: SchemaAST.TupleType, owner: string): string {
    const items = rest.map(({ type }) => `ReadonlyArray<${this.typeOf(type, owner)}>`)
    if (elements.length === 0 && items.length === 1) return items.join()
    const first = elements.map(({ isOptional, type }) => `${this.typeOf(type, owner)}${isOptional ? "?" : ""}`)
    return `readonly [${[...first, ...items.map((item) => `...${item}`)].join(", ")}]`
  }
}
