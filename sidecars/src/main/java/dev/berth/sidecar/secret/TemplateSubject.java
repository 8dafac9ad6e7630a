package dev.berth.sidecar.secret;

import dev.berth.kube.model.Claim;
import dev.berth.kube.object.ObjectKey;
import java.util.HashMap;
import java.util.Map;

/// The volume and the claim whose names a template may use (PROV-52).
///
/// @param annotations of the claim; empty at deletion, when the claim is gone
public record TemplateSubject(String volume, ObjectKey claim, Map<String, String> annotations) {
  public TemplateSubject {
    annotations = Map.copyOf(annotations);
  }

  public static TemplateSubject of(String volume, Claim claim) {
    return new TemplateSubject(volume, claim.meta().key(), claim.meta().annotations());
  }

  Map<String, String> namespaceTokens() {
    return Map.of("pv.name", volume, "pvc.namespace", claim.namespace());
  }

  Map<String, String> nameTokens() {
    var tokens = new HashMap<>(namespaceTokens());
    tokens.put("pvc.name", claim.name());
    annotations.forEach((key, value) -> tokens.put("pvc.annotations['" + key + "']", value));
    return tokens;
  }
}
