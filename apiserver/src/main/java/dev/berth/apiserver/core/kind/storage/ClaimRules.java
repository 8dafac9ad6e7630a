package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Difference;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.List;

/// PersistentVolumeClaims (API-98 to API-100).
public final class ClaimRules implements Rules {
  private static final String[] RESIZE_STATES = {
    "ControllerResizeInProgress",
    "ControllerResizeInfeasible",
    "NodeResizePending",
    "NodeResizeInProgress",
    "NodeResizeInfeasible"
  };

  @Override
  public List<String> quantities() {
    return List.of(
        "spec.resources.requests.*",
        "spec.resources.limits.*",
        "status.capacity.*",
        "status.allocatedResources.*");
  }

  @Override
  public void setDefaults(ObjectNode claim) {
    var spec = Trees.objectAt(claim, "spec");
    Trees.setDefault(spec, "volumeMode", "Filesystem");
  }

  /// Each of the two fields for a claim's source fills the other.
  private static void alignSources(ObjectNode spec) {
    var source = spec.get("dataSource");
    var ref = spec.get("dataSourceRef");
    if (source != null && ref == null) spec.set("dataSourceRef", source.deepCopy());
    else if (source == null && ref != null && Json.text(ref, "namespace").isEmpty())
      spec.set("dataSource", ref.deepCopy());
  }

  @Override
  public void start(ObjectNode claim, Instant now) {
    claim.putObject("status").put("phase", "Pending");
    var spec = Trees.objectAt(claim, "spec");
    alignSources(spec);
    dropUnsupportedSource(spec);
  }

  @Override
  public void change(ObjectNode claim, ObjectNode stored) {
    alignSources(Trees.objectAt(claim, "spec"));
  }

  /// `dataSource` knows claims and snapshots only; anything else may stand in `dataSourceRef`.
  private static void dropUnsupportedSource(ObjectNode spec) {
    var source = spec.path("dataSource");
    var kind = Json.text(source, "apiGroup") + "/" + Json.text(source, "kind");
    boolean supported =
        kind.equals("/PersistentVolumeClaim")
            || kind.equals("snapshot.storage.k8s.io/VolumeSnapshot");
    if (!supported) spec.remove("dataSource");
  }

  @Override
  public void check(Field claim) {
    var spec = claim.at("spec");
    var modes = spec.at("accessModes");
    if (modes.isEmpty()) modes.required("at least 1 access mode is required");
    else AccessModeRules.check(modes);
    var size = request(spec);
    var named = size.namedAs(spec.path() + ".resources[storage]");
    if (size.isSet()) VolumeRules.checkPositive(named);
    else named.required();
    VolumeRules.checkClass(spec.at("storageClassName"));
    VolumeRules.checkMode(spec.at("volumeMode"));
    checkSources(spec);
    VolumeRules.checkClass(spec.at("volumeAttributesClassName"));
  }

  private static Field request(Field spec) {
    return spec.at("resources").at("requests").at("storage");
  }

  private static void checkSources(Field spec) {
    var source = spec.at("dataSource");
    var ref = spec.at("dataSourceRef");
    for (var each : List.of(source, ref)) {
      if (!each.isSet()) continue;
      each.at("name").demand();
      each.at("kind").demand();
      if (each.at("apiGroup").isEmpty() && !each.at("kind").is("PersistentVolumeClaim"))
        each.invalid("must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    if (!source.isSet() || !ref.isSet()) return;
    if (!ref.at("namespace").isEmpty())
      spec.invalid("may not specify dataSource when dataSourceRef.namespace is specified");
    else if (!source.same(ref)) spec.at("dataSource").invalid("must match dataSourceRef");
  }

  @Override
  public void checkChange(Field claim, Field stored) {
    checkSpec(claim, stored);
    var size = request(claim.at("spec")).quantity();
    var before = request(stored.at("spec")).quantity();
    if (size.isPresent() && before.isPresent() && size.get().compareTo(before.get()) < 0) {
      var actual = stored.at("status").at("capacity").at("storage").quantity();
      if (actual.isEmpty() || size.get().compareTo(actual.get()) <= 0)
        request(claim.at("spec")).forbidden("field can not be less than status.capacity");
    }
    claim
        .at("spec")
        .at("volumeMode")
        .namedAs("volumeMode")
        .immutable(stored.at("spec").at("volumeMode"));
    checkAttributesClass(claim, stored);
  }

  private static void checkAttributesClass(Field claim, Field stored) {
    var name = claim.at("spec").at("volumeAttributesClassName");
    var before = stored.at("spec").at("volumeAttributesClassName");
    boolean current = !stored.at("status").at("currentVolumeAttributesClassName").isEmpty();
    if (!current || before.isEmpty() || !name.isEmpty()) return;
    name.forbidden(
        name.isSet()
            ? "update from non-nil value to an empty string is forbidden"
            : "update from non-nil value to nil is forbidden");
  }

  /// The specification never changes, but for what the claim's life brings with it.
  private static void checkSpec(Field claim, Field stored) {
    var was = (ObjectNode) stored.at("spec").node();
    var is = ((ObjectNode) claim.at("spec").node()).deepCopy();
    if (Json.text(was, "volumeName").isEmpty()) Trees.restore(is, was, "volumeName");
    if (classMayBeSet(claim, stored)) is.remove("storageClassName");
    if (stored.at("status").at("phase").is("Bound")) {
      Trees.restore(is, was, "volumeAttributesClassName");
      restoreRequest(is, was);
    }
    if (Trees.same(is, was)) return;
    claim
        .at("spec")
        .forbidden(
            "spec is immutable after creation except resources.requests and"
                + " volumeAttributesClassName for bound claims\n"
                + Difference.between(was, claim.at("spec").node()));
  }

  private static void restoreRequest(ObjectNode is, ObjectNode was) {
    var size = was.path("resources").path("requests").path("storage");
    if (is.path("resources").path("requests") instanceof ObjectNode requests
        && requests.has("storage")
        && !size.isMissingNode()) requests.set("storage", size);
  }

  /// A claim without class may be given one once; one with the legacy annotation only the same.
  private static boolean classMayBeSet(Field claim, Field stored) {
    var name = claim.at("spec").at("storageClassName");
    if (stored.at("spec").at("storageClassName").isSet() || !name.isSet()) return false;
    var legacy = legacyClass(stored.node());
    var now = legacyClass(claim.node());
    return legacy.isEmpty() ? now.isEmpty() : now.isEmpty() && legacy.equals(name.text());
  }

  private static String legacyClass(JsonNode claim) {
    return Json.text(claim.path("metadata").path("annotations"), Annotations.BETA_STORAGE_CLASS);
  }

  @Override
  public void checkStatus(Field claim) {
    var states = claim.at("status").at("allocatedResourceStatuses");
    for (var key : states.names()) {
      if (!key.equals("storage") && !(key.contains("/") && Names.QUALIFIED.admit(key)))
        states.invalid(key, "must be a standard resource for quota, or fully qualified");
      if (!states.key(key).isOneOf(RESIZE_STATES)) states.key(key).notSupported(RESIZE_STATES);
    }
  }
}
