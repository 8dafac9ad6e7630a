package dev.berth.cli.manifest;

import dev.berth.apiserver.core.state.Kinds;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import java.util.stream.Collectors;

/// A kind that no stack serves, or only by a definition in it, as its author can mend it.
final class NotServed {
  private NotServed() {}

  static String why(String kind, String apiVersion) {
    var wrong = "berth does not serve " + kind + " of " + apiVersion;
    var meant =
        Resources.ALL.stream().filter(each -> each.kind().equalsIgnoreCase(kind)).findFirst();
    if (meant.isPresent())
      return wrong
          + "; it serves kind: %s of apiVersion: %s"
              .formatted(meant.get().kind(), meant.get().apiVersion());
    if (Kinds.builtIn().named(apiVersion, kind).isPresent())
      return "berth does not write %s of %s itself; the API server keeps it: use `kubectl apply`"
          .formatted(kind, apiVersion);
    return "berth does not know "
        + kind
        + " of "
        + apiVersion
        + "; it knows "
        + Resources.ALL.stream().map(Resource::kind).collect(Collectors.joining(", "))
        + "; a kind of your own (CustomResourceDefinition) goes by `kubectl apply`";
  }
}
