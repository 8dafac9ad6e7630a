package dev.berth.kube.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.function.Function;

/// A kind of object as we read it: how the API serves it and which record shows it.
///
/// @param resource how the API serves it
/// @param read makes the record from an object's JSON
public record Kind<T extends KubeObject>(Resource resource, Function<JsonNode, T> read) {
  /// Reference to an object of this kind that may not exist.
  public Ref ref(ObjectKey key) {
    return Ref.of(resource, key);
  }

  /// Names the kind only: two kinds are the same if the API serves them alike.
  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof Kind<?> kind && kind.resource.equals(resource);
  }

  @Override
  public int hashCode() {
    return resource.plural().hashCode(); // which the string keeps: every look-up begins with it
  }

  @Override
  public String toString() {
    return resource.kind();
  }
}
