package dev.berth.apiserver.core.message;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Resource;

/// What a client asks, with the transport and its syntax gone. Bodies are never changed after they
/// were handed in. `namespace` is empty for kinds without one, and in a list of all namespaces.
public sealed interface Request {
  Resource resource();

  /// Answered from a state, without a write.
  sealed interface Read extends Request {}

  /// Answered by the writer, in its order.
  sealed interface Write extends Request {}

  /// Gets one object.
  ///
  /// @param resourceVersion empty or `0`: any; otherwise not older than this
  record Get(Resource resource, ObjectKey key, String resourceVersion) implements Read {}

  record List(Resource resource, String namespace, ListOptions options) implements Read {}

  /// What `write` would be answered, of which nothing stays.
  record DryRun(Write write) implements Read {
    @Override
    public Resource resource() {
      return write.resource();
    }
  }

  /// Creates `object`, named by its metadata or their `generateName`.
  record Create(Resource resource, String namespace, ObjectNode object) implements Write {}

  /// Replaces the object.
  record Update(Resource resource, ObjectKey key, Part part, ObjectNode object) implements Write {}

  /// Changes parts of the object.
  record Change(Resource resource, ObjectKey key, Part part, Patch patch) implements Write {}

  record Delete(Resource resource, ObjectKey key, DeleteOptions options) implements Write {}

  /// Deletes each object that `which` selects.
  record DeleteAll(Resource resource, String namespace, ListOptions which, DeleteOptions options)
      implements Write {}

  /// Posts to a subresource of the object that creates nothing of its own: `binding`, `eviction`.
  record Post(Resource resource, ObjectKey key, String subresource, ObjectNode body)
      implements Write {}

  /// Which endpoint of an object a write goes to.
  enum Part {
    /// The object without its status.
    MAIN,
    /// `/status`.
    STATUS,
    /// `/finalize` of a namespace.
    FINALIZE
  }
}
