package dev.berth.kube.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A Kubernetes API server, seen by a client. Objects are JSON trees; one that was handed out or in
/// is never changed afterwards by either side, but for what [#get] answers.
///
/// Every method throws [ApiException] with the server's own code and reason; an unreachable server
/// is [ApiException.Unreachable], a write that came second [ApiException.LostRace].
public interface Api {
  /// The object as it is. It is the caller's own, who may change it to hand it to [#update].
  ObjectNode get(Resource resource, ObjectKey key);

  /// All objects, of one namespace if `namespace` is not empty.
  Listing list(Resource resource, String namespace, Selector selector);

  /// The same, each object read as soon as it has come, so that a large list is never in memory as
  /// the server sends it (ONE-14).
  ///
  /// @param read is asked again for all objects if the list has to be begun anew
  default <T> Listed<T> list(
      Resource resource, String namespace, Selector selector, Function<ObjectNode, T> read) {
    var listing = list(resource, namespace, selector);
    return new Listed<>(listing.resourceVersion(), listing.items().stream().map(read).toList());
  }

  /// The version at which the server is now, as a list would say. A server that was restored from a
  /// backup may be behind what it has said before, and real ones let a watch begin in a future that
  /// is lost: it shows nothing until that version is reached again.
  ///
  /// @param selector of the list, as who asks may not be allowed another one
  /// @return empty: nobody need ask, since a watch from there is refused
  default Optional<String> newestVersion(Resource resource, String namespace, Selector selector) {
    return Optional.empty();
  }

  /// Whether it is the server itself that does not serve the kind, when a list of it was answered
  /// with 404: a load balancer in front of it answers so, too.
  ///
  /// @throws ApiException if that cannot be told
  default boolean lacks(Resource resource) {
    return true;
  }

  /// Shows each change after `resourceVersion` to `watcher`, in order, until either side ends it.
  ///
  /// @param namespace empty: all namespaces
  Watch watch(
      Resource resource,
      String namespace,
      Selector selector,
      String resourceVersion,
      Watcher watcher);

  /// Creates `object`, whose metadata names it, or its `generateName`.
  ObjectNode create(Resource resource, ObjectNode object);

  /// Replaces the object; a `resourceVersion` in it must be the server's.
  ObjectNode update(Resource resource, ObjectNode object);

  /// Replaces the object's status.
  ObjectNode updateStatus(Resource resource, ObjectNode object);

  /// Changes parts of the object.
  ObjectNode patch(Resource resource, ObjectKey key, Patch patch);

  /// Changes parts of the object's status.
  ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch);

  /// Asks for deletion. The object as it then is, with a `deletionTimestamp` if something still
  /// holds it; or the last that was seen of it.
  Deleted delete(Resource resource, ObjectKey key, DeleteOptions options);

  /// Posts to a subresource such as `binding` or `token`.
  JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body);

  /// The same server, asked on behalf of somebody whose writes are looked at once more before they
  /// leave, and who may have to wait for his turn.
  default Api by(Caller caller) {
    return new Fenced(this, caller.fence());
  }

  /// All objects of a kind.
  ///
  /// @param resourceVersion of the moment that the list shows; where a watch goes on
  record Listing(String resourceVersion, List<ObjectNode> items) {
    public Listing {
      items = List.copyOf(items);
    }
  }

  /// All objects of a kind, as they were read.
  ///
  /// @param resourceVersion as of a [Listing]
  record Listed<T>(String resourceVersion, List<T> items) {
    public Listed {
      items = List.copyOf(items);
    }
  }

  /// What became of an object that was to be deleted.
  ///
  /// @param object the object, still there or as last seen
  /// @param gone whether it is no longer there
  record Deleted(ObjectNode object, boolean gone) {}

  /// Ends a watch.
  interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /// Sees a watch's events; called by one thread at a time, in the server's order. Must not block
  /// long.
  interface Watcher {
    void added(ObjectNode object);

    void modified(ObjectNode object);

    /// The object went.
    ///
    /// @param object as last seen, with the resourceVersion of its deletion
    void deleted(ObjectNode object);

    /// Nothing of interest happened up to `resourceVersion`.
    void bookmark(String resourceVersion);

    /// The watch has ended and shows nothing more. Not called after [Watch#close].
    ///
    /// @param resumable whether it may be resumed from the last version seen; otherwise list again
    void closed(boolean resumable);
  }
}
