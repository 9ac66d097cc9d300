/**
 * The site's typed client for the exchange's API. It runs only on the server, where the tokens are.
 * The exchange's routes are in exchange.server/http; GET /api/openapi.json describes them.
 */
import { accountCalls } from "./account-calls";
import { signInCalls } from "./sign-in-calls";
import { marketCalls, orderCalls, quoteCalls } from "./swap-calls";
import { createTransport, type TransportOptions } from "./transport";

export type ApiClient = ReturnType<typeof createApiClient>;

/**
 * Creates a client. Methods resolve with data checked against contract.ts, in which amounts are
 * decimal strings in the unit of the asset ("250.5"), rates are target per 1 source with 12 decimals, and
 * times are ISO 8601 in UTC. `exportData` and `orderEvents` resolve with the response, whose body is a stream.
 *
 * Methods reject with ApiError (status 400 or more), ApiUnreachableError, or ApiContractError if a response does not
 * match the contract; the sign-in methods reject with SignInResponseError instead of ApiContractError.
 */
export function createApiClient(options: TransportOptions) {
  const transport = createTransport(options);
  return {
    ...signInCalls(transport),
    ...marketCalls(transport),
    ...quoteCalls(transport),
    ...orderCalls(transport),
    ...accountCalls(transport),
  };
}
