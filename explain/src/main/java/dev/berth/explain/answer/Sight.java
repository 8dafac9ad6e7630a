package dev.berth.explain.answer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Ref;
import java.util.Optional;

/// An object as the server shows it, for the values of its fields.
@FunctionalInterface
public interface Sight {
  /// Nothing can be looked up.
  Sight NONE = _ -> Optional.empty();

  /// Empty: there is no such object, or it may not be read.
  Optional<JsonNode> tree(Ref ref);
}
