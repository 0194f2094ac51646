import { CdpError } from './cdpTarget.ts';
import { DocumentGone } from './pageDocument.ts';
import type { PageDocument } from './pageDocument.ts';

interface DomNode {
  readonly shadowRoots?: readonly { readonly shadowRootType?: string; readonly backendNodeId: number }[];
}

/**
 * Hands the page agent the closed shadow roots it cannot reach by itself: the elements it suspects are
 * looked up by the browser. Answers how many of them hold none, so that they are not looked up again.
 */
export const adoptClosedRoots = async (document: PageDocument): Promise<number> => {
  const array = await document.handle('() => A.closedRootHosts()');
  if (array === null) return 0;
  try {
    const { result } = await document.session.send('Runtime.getProperties', { objectId: array, ownProperties: true });
    const hosts = result.flatMap(({ name, value }) =>
      /^\d+$/.test(name) && value?.objectId !== undefined ? [value.objectId] : [],
    );
    const adopted = await Promise.all(hosts.map((host) => adoptOne(document, host)));
    return adopted.filter((done) => !done).length;
  } catch (error) {
    if (error instanceof CdpError && error.reason === 'gone') throw new DocumentGone(error);
    throw error;
  } finally {
    void document.release(array);
  }
};

const adoptOne = async (document: PageDocument, hostId: string): Promise<boolean> => {
  const { node } = (await document.session.send('DOM.describeNode', { objectId: hostId })) as { node: DomNode };
  void document.release(hostId);
  const closed = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === 'closed');
  if (closed === undefined) return false;
  const { object } = await document.session.send('DOM.resolveNode', {
    backendNodeId: closed.backendNodeId,
    executionContextId: document.contextId,
  });
  if (object.objectId === undefined) return false;
  await document.runOn('(root) => A.adoptClosedRoot(root)', object.objectId);
  void document.release(object.objectId);
  return true;
};
