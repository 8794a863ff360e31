/** The message also tells the user how to fix the problem. */
export class StartError extends Error {
  readonly code:
    | 'package-missing'
    | 'room-missing'
    | 'seed-missing'
    | 'fault-refused'
    | 'test-routes-refused'
    | 'rum-refused'

  constructor(code: StartError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Loads code that needs an optional peer dependency.
 * @param purpose beginning of a sentence that describes why the package is needed.
 * @throws StartError with the name of the package if it is not installed.
 */
export async function withPackage<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${name}'`)) throw error
    const text = `${purpose} needs a package that is not installed. Run \`npm install ${name}\`.`
    throw new StartError('package-missing', text)
  }
}
