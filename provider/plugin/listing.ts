/** List: finds the deployments that can be imported, page by page. */
import { randomUUID } from "node:crypto";
import type { ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { DeploymentFilters, filterFields } from "../../schema/filters";
import type { Values } from "../../schema/tree";
import type { Client } from "../control-plane/client";
import { checkShape } from "../deployment/lookup";
import { isDeleting, type Observed } from "../deployment/service";
import { DeploymentError } from "../errors";
import type { Operations } from "../engine/operations";
import { providerMessages } from "../engine/sdk";
import { withArguments } from "./functions";
import { requireKnownType } from "./resources";

interface Listing {
  readonly deployments: AsyncIterator<Observed, void>;
  /** How many more the caller asked for. */
  left: number;
  /** Read ahead, to know whether there is another page. */
  next: Observed | undefined;
}

/** For callers that leave the size of a page to the provider: as many as a page of the service has. */
const usualPageSize = 100;

export class Listings {
  /** By continuation token. The process, and with it a listing that nobody continues, ends with its engine. */
  readonly #unfinished = new Map<string, Listing>();

  constructor(private readonly operations: Operations) {}

  async page(request: ListRequest): Promise<ListResponse[]> {
    requireKnownType(request.getToken());
    const page = await withArguments("list", request.getQuery(), async (filters) => {
      const token = request.getContinuationToken();
      const listing = token === "" ? await this.#begin(filters, request.getLimit()) : this.#resume(token);
      return this.#read(listing, request.getPageSize());
    });
    return (
      page ?? [new providerMessages.ListResponse().setComputed(new providerMessages.ListResponse.Computed())]
    );
  }

  async #begin(filters: DeploymentFilters, limit: number): Promise<Listing> {
    checkFilters(filters);
    const deployments = importable(this.operations.configured.connection.client, filters);
    return { deployments, left: limit < 1 ? Infinity : limit, next: await nextOf(deployments) };
  }

  /** The listing keeps its limit, because some callers repeat the first one, and others send what is left of it. */
  #resume(token: string): Listing {
    const listing = this.#unfinished.get(token);
    this.#unfinished.delete(token);
    if (listing === undefined)
      throw new DeploymentError("unknown continuation token: each is valid once, so list from the start");
    return listing;
  }

  async #read(listing: Listing, size: number): Promise<ListResponse[]> {
    const { ListResponse } = providerMessages;
    const page: ListResponse[] = [];
    while (listing.next !== undefined && page.length < (size < 1 ? usualPageSize : size)) {
      const { id, name } = listing.next;
      page.push(new ListResponse().setResult(new ListResponse.Result().setId(id).setName(name)));
      listing.left -= 1;
      listing.next = listing.left > 0 ? await nextOf(listing.deployments) : undefined;
    }
    if (listing.next === undefined) return page;
    const token = randomUUID();
    this.#unfinished.set(token, listing);
    const more = new ListResponse.Continuation().setContinuationToken(token);
    return [...page, new ListResponse().setContinuation(more)];
  }
}

function checkFilters(filters: Values): void {
  const names = Object.keys(filterFields);
  const unknown = Object.keys(filters).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new DeploymentError(`unknown filter ${unknown.join(", ")}: use ${names.join(", ")}`);
  checkShape(DeploymentFilters, filters);
}

async function* importable(client: Client, filters: DeploymentFilters): AsyncGenerator<Observed, void> {
  for await (const page of client.list(filters))
    yield* page.filter((each) => each.id !== "" && !each.isPreview && !isDeleting(each));
}

async function nextOf(deployments: AsyncIterator<Observed, void>): Promise<Observed | undefined> {
  return (await deployments.next()).value ?? undefined;
}
