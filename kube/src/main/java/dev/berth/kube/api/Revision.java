package dev.berth.kube.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import java.util.function.Consumer;

/// One object at the version that a decision saw. A patch made from it applies to that version of
/// that object and to no other (BIND-33): whoever wrote meanwhile is not overwritten, and an object
/// that took the name is not touched.
///
/// The version is no part of what an effect is: two revisions of one object are equal, so that a
/// loop still knows an effect that failed, or that it has carried out before, after the object was
/// written to.
public record Revision(ObjectKey key, String uid, String resourceVersion) {
  public static Revision of(Meta meta) {
    return new Revision(meta.key(), meta.uid(), meta.resourceVersion());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Revision it && it.key.equals(key) && it.uid.equals(uid);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  /// A merge patch with what `change` puts into its body.
  public Patch patch(Consumer<ObjectNode> change) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", uid).put("resourceVersion", resourceVersion);
    change.accept(body);
    return Patch.merge(body);
  }
}
