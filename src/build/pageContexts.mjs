/**
 * The objects that Astro gives to each page: `Astro`, and the context of the middleware. Astro makes them with getters of their own. V8 keeps the
 * getters of such an object, and an object that others inherit from, with its hidden class, outside of the young generation: so whatever they
 * reach, a whole page, stays in memory until the next full collection. Here the getters belong to classes, which are made once.
 *
 * Astro's actions, which we do not use, copy the context with its own properties alone: they would not find what is private here.
 *
 * The build puts this behind Astro's own code (`pagesLeaveNothing` in `libraries.mjs`).
 */
const PAGE = Symbol('page')

/**
 * Replaces the methods by which `FetchState`, Astro's state of one request, makes these objects. `parts`: what its module has imported.
 */
export function leaveNothing(FetchState, parts) {
  const { ASTRO_GENERATOR, AstroError, AstroErrorData, Slots } = parts
  const { astroToRuntimeLogger, createCallAction, createGetActionResult, getOriginPathname, getSite } = parts

  /** What both objects look up when it is asked for. */
  class OfRequest {
    #state
    constructor(state) {
      this.#state = state
    }
    get clientAddress() {
      return this.#state.getClientAddress()
    }
    get currentLocale() {
      return this.#state.computeCurrentLocale()
    }
    get preferredLocale() {
      return this.#state.computePreferredLocale()
    }
    get preferredLocaleList() {
      return this.#state.computePreferredLocaleList()
    }
    get originPathname() {
      return getOriginPathname(this.#state.request)
    }
    get csp() {
      return this.#state.getCsp()
    }
    get logger() {
      return astroToRuntimeLogger(this.#state.logger)
    }
    get session() {
      return this.#state.resolve('session')
    }
    get cache() {
      return this.#state.resolve('cache')
    }
  }

  class RequestContext extends OfRequest {
    #state
    constructor(state) {
      super(state)
      this.#state = state
      this.routePattern = state.routeData.route
      this.isPrerendered = state.routeData.prerender
      this.generator = ASTRO_GENERATOR
      this.params = state.params
      this.request = state.request
      this.site = getSite(state.manifest)
      this.url = state.url
    }
    get cookies() {
      return this.#state.cookies
    }
    get locals() {
      return this.#state.locals
    }
    set locals(_) {
      throw new AstroError(AstroErrorData.LocalsReassigned)
    }
  }

  /** What all components of a page have in common. */
  class Page {
    constructor(state, result, apiContext) {
      this.state = state
      this.result = result
      // Copies: a rewrite replaces them in the state, and the components before it keep theirs.
      this.cookies = state.cookies
      this.locals = state.locals
      this.params = state.params
      this.request = state.request
      this.url = state.url
      this.routePattern = state.routeData.route
      this.isPrerendered = state.routeData.prerender
      this.callAction = createCallAction(apiContext)
      this.getActionResult = createGetActionResult(state.locals)
      // Named before they are assigned: a function that is written where it is assigned would hold the page.
      const rewrite = async (payload) => await state.rewrite(payload)
      const redirect = (path, status = 302) => {
        if (state.request[parts.responseSentSymbol]) throw new AstroError({ ...AstroErrorData.ResponseSentError })
        return new Response(null, { status, headers: { Location: path } })
      }
      this.rewrite = rewrite
      this.redirect = redirect
    }
  }

  class Astro extends OfRequest {
    #page
    #slotValues
    #slots
    constructor(page, props, slotValues) {
      super(page.state)
      this.#page = page
      this.#slotValues = slotValues
      this.props = props
      this.self = null
    }
    get slots() {
      const { result, state } = this.#page
      this.#slots ??= new Slots(result, this.#slotValues ?? null, state.logger)
      return this.#slots
    }
    get generator() {
      return ASTRO_GENERATOR
    }
    get routePattern() {
      return this.#page.routePattern
    }
    get isPrerendered() {
      return this.#page.isPrerendered
    }
    get cookies() {
      return this.#page.cookies
    }
    get params() {
      return this.#page.params
    }
    get locals() {
      return this.#page.locals
    }
    get redirect() {
      return this.#page.redirect
    }
    get rewrite() {
      return this.#page.rewrite
    }
    get request() {
      return this.#page.request
    }
    get response() {
      return this.#page.result.response
    }
    get site() {
      return getSite(this.#page.state.manifest)
    }
    get getActionResult() {
      return this.#page.getActionResult
    }
    get callAction() {
      return this.#page.callAction
    }
    get url() {
      return this.#page.url
    }
  }

  Object.assign(FetchState.prototype, {
    getActionAPIContext() {
      this.actionApiContext ??= new RequestContext(this)
      return this.actionApiContext
    },
    createAstro(result, props, slotValues, apiContext) {
      if (this.isRewriting || !this[PAGE]) this[PAGE] = new Page(this, result, apiContext)
      return new Astro(this[PAGE], props, slotValues)
    }
  })
}
