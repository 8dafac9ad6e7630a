package dev.berth.apiserver.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.state.State;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.object.StoredResources;
import dev.berth.kube.value.Json;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// DefaultStorageClass and DefaultIngressClass: who says nothing of a class gets the default one
/// (API-111).
final class DefaultClasses implements Plugin {
  private static final List<String> OF_CLAIMS =
      List.of(Annotations.DEFAULT_CLASS, Annotations.BETA_DEFAULT_CLASS);
  private static final List<String> OF_INGRESSES =
      List.of("ingressclass.kubernetes.io/is-default-class");

  @Override
  public void complete(Attempt attempt) {
    if (!(attempt.object().get("spec") instanceof ObjectNode spec)) return;
    var annotations = attempt.object().path("metadata").path("annotations");
    if (attempt.creates(Resources.CLAIMS)) {
      if (spec.has("storageClassName") || annotations.has(Annotations.BETA_STORAGE_CLASS)) return;
      choose(attempt.state(), Resources.STORAGE_CLASSES, OF_CLAIMS)
          .ifPresent(name -> spec.put("storageClassName", name));
    } else if (attempt.creates(StoredResources.INGRESSES)) {
      if (spec.has("ingressClassName") || annotations.has("kubernetes.io/ingress.class")) return;
      choose(attempt.state(), StoredResources.INGRESS_CLASSES, OF_INGRESSES)
          .ifPresent(name -> spec.put("ingressClassName", name));
    }
  }

  /// Of several default classes the newest, then the first by name.
  private static Optional<String> choose(State state, Resource classes, List<String> marks) {
    return state.list(classes).stream()
        .map(Stored::object)
        .filter(each -> isDefault(each, marks))
        .map(each -> each.path("metadata"))
        .min(
            Comparator.comparing((JsonNode meta) -> Json.text(meta, "creationTimestamp"))
                .reversed()
                .thenComparing(meta -> Json.text(meta, "name")))
        .map(meta -> Json.text(meta, "name"));
  }

  private static boolean isDefault(JsonNode each, List<String> marks) {
    var annotations = each.path("metadata").path("annotations");
    return marks.stream().anyMatch(mark -> Json.text(annotations, mark).equals("true"));
  }
}
