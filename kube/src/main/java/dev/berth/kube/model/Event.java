package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.time.Instant;

/// An Event: what somebody told of an object.
///
/// @param about whom it was told of (`involvedObject`)
/// @param aboutKind its kind, such as `Pod`
/// @param aboutUid empty: it was not told which object of that name
/// @param type `Normal` or `Warning`
/// @param component who told it
/// @param first when it happened first
/// @param last when it happened last
public record Event(
    Meta meta,
    ObjectKey about,
    String aboutKind,
    String aboutUid,
    String type,
    String reason,
    String message,
    String component,
    Instant first,
    Instant last)
    implements KubeObject {

  static Event of(JsonNode object) {
    var meta = Meta.of(object);
    var about = object.path("involvedObject");
    // Old and new clients fill in different times.
    var at = Json.instant(object, "eventTime");
    return new Event(
        meta,
        ObjectKey.of(Json.text(about, "namespace"), Json.text(about, "name")),
        Json.text(about, "kind"),
        Json.text(about, "uid"),
        Json.text(object, "type"),
        Json.text(object, "reason"),
        Json.text(object, "message"),
        Json.optionalText(object, "reportingComponent")
            .filter(name -> !name.isEmpty())
            .orElse(Json.text(object.path("source"), "component")),
        Json.instant(object, "firstTimestamp").or(() -> at).orElse(meta.created()),
        Json.instant(object.path("series"), "lastObservedTime")
            .or(() -> Json.instant(object, "lastTimestamp"))
            .or(() -> at)
            .orElse(meta.created()));
  }

  public Ref ref() {
    return Ref.of(Resources.EVENTS, meta);
  }

  public boolean warns() {
    return type.equals("Warning");
  }
}
