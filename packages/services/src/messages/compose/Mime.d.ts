/** The library has no types: declares the functions in use. */
declare module "mime" {
  const mime: {
    readonly getType: (path: string) => string | null
    readonly getExtension: (type: string) => string | null
  }
  export default mime
}
