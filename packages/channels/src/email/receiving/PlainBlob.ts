/**
 * What postal-mime joins the lines of a part with, two pieces a line. That of Node.js keeps each piece apart: a mail of
 * 30 MB takes it seconds and its thread's memory. To be put in its place in a thread that runs nothing else.
 */
export class PlainBlob {
  readonly #pieces: ReadonlyArray<ArrayBuffer | Uint8Array | string>

  constructor(pieces: ReadonlyArray<ArrayBuffer | Uint8Array | string> = []) {
    this.#pieces = pieces
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    const sizes = this.#pieces.map((piece) => (typeof piece === "string" ? Buffer.byteLength(piece) : piece.byteLength))
    const whole = Buffer.from(new ArrayBuffer(sizes.reduce((sum, size) => sum + size, 0)))
    let at = 0
    for (const piece of this.#pieces) {
      if (typeof piece === "string") at += whole.write(piece, at)
      else {
        whole.set(piece instanceof ArrayBuffer ? new Uint8Array(piece) : piece, at)
        at += piece.byteLength
      }
    }
    return Promise.resolve(whole.buffer)
  }
}
