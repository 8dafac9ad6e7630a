package dev.berth.cli.manifest;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.core.state.Served;
import java.util.stream.Collectors;

/// A kind that no stack serves, or only by a definition in it, as its author can mend it.
final class NotServed {
  private NotServed() {}

  static String why(String kind, String apiVersion) {
    var wrong = "berth does not serve " + kind + " of " + apiVersion;
    var meant =
        Kinds.builtIn().all().stream()
            .map(Served::resource)
            .filter(each -> each.kind().equalsIgnoreCase(kind))
            .findFirst();
    if (meant.isPresent())
      return wrong
          + "; it serves kind: %s of apiVersion: %s"
              .formatted(meant.get().kind(), meant.get().apiVersion());
    return "berth does not know "
        + kind
        + " of "
        + apiVersion
        + "; it knows "
        + Kinds.builtIn().all().stream()
            .map(each -> each.resource().kind())
            .distinct()
            .collect(Collectors.joining(", "))
        + "; a kind of your own (CustomResourceDefinition) goes by `kubectl apply`";
  }
}
