package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;

/// A ControllerRevision: a template of a set, kept as it was.
///
/// @param number greater for each newer one
/// @param data patch that gives a set this template back, as `kubectl rollout undo` sends it
public record StateRecord(Meta meta, long number, JsonNode data) implements KubeObject {
  public static final Kind<StateRecord> KIND = new Kind<>(Resources.REVISIONS, StateRecord::of);

  private static StateRecord of(JsonNode object) {
    return new StateRecord(Meta.of(object), object.path("revision").asLong(), object.path("data"));
  }

  public Ref ref() {
    return Ref.of(Resources.REVISIONS, meta);
  }

  /// The template that it keeps.
  public JsonNode template() {
    return data.path("spec").path("template");
  }
}
