package dev.berth.apiserver.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.custom.ScalePaths;
import dev.berth.apiserver.core.field.FieldError;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Refusals;
import dev.berth.apiserver.core.message.RefusedException;
import dev.berth.apiserver.core.state.Served;
import dev.berth.apiserver.core.state.Stored;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.function.UnaryOperator;

/// What `/scale` shows of an object, and changes of it: how many it is to be (API-118, API-124).
public final class Scaling {
  private static final Resource SCALES = new Resource("autoscaling", "v1", "scales", "Scale", true);

  private final Served kind;
  private final ScalePaths paths;

  Scaling(Served kind) {
    this.kind = kind;
    this.paths = paths(kind);
  }

  private static ScalePaths paths(Served kind) {
    return kind.scale().orElseThrow(() -> new RefusedException(Refusals.notServed()));
  }

  /// An answer with an object as one with its Scale.
  public static Answer shown(Served kind, Answer answer) {
    if (!(answer instanceof Answer.Single(var stored))) return answer;
    var paths = paths(kind);
    if (!paths.wanted(stored.object()).isIntegralNumber())
      return new Answer.Refused(
          Refusals.internalError(
              new IllegalStateException(
                  "the spec replicas field \"%s\" does not exist".formatted(paths.name()))));
    var scale = paths.show(stored.object());
    return new Answer.Single(Stored.of(stored.key(), stored.created(), stored.revision(), scale));
  }

  /// The object as it becomes when its Scale is changed.
  ObjectNode change(Stored stored, UnaryOperator<ObjectNode> change) {
    var scale = change.apply(paths.show(stored.object()));
    checkKind(scale);
    Update.checkPath(scale, stored.key());
    var changed = paths.scaled(stored.object(), replicas(stored, scale));
    if (changed.get("metadata") instanceof ObjectNode meta)
      for (var field : List.of("uid", "resourceVersion"))
        if (scale.path("metadata").has(field)) meta.set(field, scale.path("metadata").get(field));
        else meta.remove(field);
    return changed;
  }

  private static void checkKind(ObjectNode scale) {
    var version = Json.text(scale, "apiVersion");
    var name = Json.text(scale, "kind");
    if (!version.isEmpty() && !version.equals(SCALES.apiVersion())
        || !name.isEmpty() && !name.equals(SCALES.kind()))
      throw new RefusedException(
          Refusals.badRequest(
              "%s in version \"%s\" cannot be handled as a Scale".formatted(name, version)));
  }

  /// As upstream, a Scale that does not say how many says none; of an object that does not say
  /// either, nothing is made up.
  private int replicas(Stored stored, ObjectNode scale) {
    var replicas = scale.path("spec").path("replicas");
    if (replicas.isMissingNode() || replicas.isNull()) {
      if (paths.wanted(stored.object()).isMissingNode())
        throw new RefusedException(
            Refusals.badRequest(
                "the spec replicas field \"%s\" cannot be empty".formatted(paths.name())));
      return 0;
    }
    if (!replicas.isIntegralNumber() || !replicas.canConvertToInt())
      throw new RefusedException(
          Refusals.badRequest(
              "Scale in version \"v1\" cannot be handled as a Scale: spec.replicas is no whole"
                  + " number of 32 bits"));
    if (replicas.intValue() < 0)
      throw new RefusedException(
          Refusals.invalid(
              SCALES,
              stored.key().name(),
              List.of(
                  FieldError.invalid(
                      "spec.replicas",
                      replicas.toString(),
                      "must be greater than or equal to 0"))));
    return replicas.intValue();
  }

  @Override
  public String toString() {
    return "scaling of " + kind.resource().plural();
  }
}
