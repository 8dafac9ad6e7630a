package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;

/// A StorageClass.
///
/// @param reclaimPolicy of the volumes made for it, as `Delete` or `Retain`
/// @param allowedTopologies any term must match; empty: every place will do
public record StorageClass(
    Meta meta,
    String provisioner,
    Map<String, String> parameters,
    String reclaimPolicy,
    BindingMode bindingMode,
    boolean allowsExpansion,
    List<String> mountOptions,
    List<TopologyTerm> allowedTopologies)
    implements KubeObject {
  public StorageClass {
    parameters = Map.copyOf(parameters);
    mountOptions = List.copyOf(mountOptions);
    allowedTopologies = List.copyOf(allowedTopologies);
  }

  /// When a claim gets its volume: at once, or when a pod that uses it is given a node.
  public enum BindingMode {
    IMMEDIATE,
    WAIT_FOR_FIRST_CONSUMER
  }

  /// All of its conditions must hold; with none it matches nothing (SCHED-14).
  public record TopologyTerm(List<Requirement> expressions) {
    public TopologyTerm {
      expressions = List.copyOf(expressions);
    }

    public boolean matches(Map<String, String> labels) {
      return !expressions.isEmpty()
          && expressions.stream().allMatch(requirement -> requirement.holds(labels));
    }
  }

  static StorageClass of(JsonNode object) {
    return new StorageClass(
        Meta.of(object),
        Json.text(object, "provisioner"),
        Json.texts(object.path("parameters")),
        Json.optionalText(object, "reclaimPolicy").orElse("Delete"),
        Json.text(object, "volumeBindingMode").equals("WaitForFirstConsumer")
            ? BindingMode.WAIT_FOR_FIRST_CONSUMER
            : BindingMode.IMMEDIATE,
        object.path("allowVolumeExpansion").asBoolean(),
        Json.list(object.path("mountOptions"), JsonNode::asText),
        Json.list(object.path("allowedTopologies"), StorageClass::term));
  }

  private static TopologyTerm term(JsonNode term) {
    return new TopologyTerm(
        Json.list(
            term.path("matchLabelExpressions"),
            expression ->
                new Requirement(
                    Json.text(expression, "key"),
                    Requirement.Operator.IN,
                    Json.list(expression.path("values"), JsonNode::asText))));
  }

  public Ref ref() {
    return Ref.of(Resources.STORAGE_CLASSES, meta);
  }

  public boolean waitsForFirstConsumer() {
    return bindingMode == BindingMode.WAIT_FOR_FIRST_CONSUMER;
  }

  public boolean isDefault() {
    return meta.annotation(Annotations.DEFAULT_CLASS).filter("true"::equals).isPresent()
        || meta.annotation(Annotations.BETA_DEFAULT_CLASS).filter("true"::equals).isPresent();
  }
}
