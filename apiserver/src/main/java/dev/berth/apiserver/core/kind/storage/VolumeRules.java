package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.berth.apiserver.core.field.Difference;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.name.Labels;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/// PersistentVolumes (API-96, API-97).
public final class VolumeRules implements Rules {
  private static final String TRANSITION = "lastPhaseTransitionTime";

  /// Labels in node affinities that may be renamed in place.
  private static final Map<String, String> BETA_TO_GA =
      Map.of(
          Labels.BETA_ZONE,
          Labels.ZONE,
          Labels.BETA_REGION,
          Labels.REGION,
          Labels.BETA_OS,
          Labels.OS,
          Labels.BETA_ARCH,
          Labels.ARCH,
          "beta.kubernetes.io/instance-type",
          "node.kubernetes.io/instance-type");

  @Override
  public List<String> quantities() {
    return List.of("spec.capacity.*");
  }

  @Override
  public void setDefaults(ObjectNode volume) {
    var spec = Trees.objectAt(volume, "spec");
    Trees.setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
    Trees.setDefault(spec, "volumeMode", "Filesystem");
    VolumeSources.setDefaults(spec);
  }

  @Override
  public void start(ObjectNode volume, Instant now) {
    volume.putObject("status").put("phase", "Pending").put(TRANSITION, second(now));
  }

  /// Stamps a new phase, unless the client did.
  @Override
  public void changeStatus(ObjectNode volume, ObjectNode stored, Instant now) {
    var status = Trees.objectAt(volume, "status");
    var before = stored.path("status");
    boolean stamped = status.has(TRANSITION) && !same(status, before, TRANSITION);
    if (stamped) return;
    if (!same(status, before, "phase")) status.put(TRANSITION, second(now));
    else if (before.has(TRANSITION)) status.set(TRANSITION, before.get(TRANSITION));
  }

  @Override
  public void check(Field volume) {
    var spec = volume.at("spec");
    if (spec.at("accessModes").demand()) AccessModeRules.check(spec.at("accessModes"));
    checkCapacity(spec.at("capacity"));
    checkPolicy(spec);
    checkAffinity(spec);
    VolumeSources.check(spec);
    checkClass(spec.at("storageClassName"));
    checkMode(spec.at("volumeMode"));
    checkAttributesClass(spec);
  }

  private static void checkCapacity(Field capacity) {
    if (!capacity.demand()) return;
    if (!capacity.names().equals(List.of("storage"))) capacity.notSupported("storage");
    checkPositive(capacity.key("storage"));
  }

  private static void checkPolicy(Field spec) {
    var policy = spec.at("persistentVolumeReclaimPolicy");
    if (!policy.isOneOf("Delete", "Recycle", "Retain"))
      policy.notSupported("Delete", "Recycle", "Retain");
    if (policy.is("Recycle") && spec.at("hostPath").at("path").is("/"))
      policy.forbidden("may not be 'recycle' for a hostPath mount of '/'");
  }

  private static void checkAffinity(Field spec) {
    var affinity = spec.at("nodeAffinity");
    if (affinity.isSet()) {
      var required = affinity.at("required");
      if (!required.isSet()) required.required("must specify required node constraints");
      else if (required.at("nodeSelectorTerms").isEmpty())
        required.at("nodeSelectorTerms").required("must have at least one node selector term");
    }
    if (spec.at("local").isSet() && affinity.isEmpty())
      spec.namedAs("metadata.annotations").required("Local volume requires node affinity");
  }

  private static void checkAttributesClass(Field spec) {
    var name = spec.at("volumeAttributesClassName");
    if (!name.isSet()) return;
    if (name.isEmpty()) name.required("an empty string is disallowed");
    else Names.SUBDOMAIN.check(name);
    if (!spec.at("csi").isSet())
      spec.at("csi").required("has to be specified when using volumeAttributesClassName");
  }

  static void checkPositive(Field quantity) {
    quantity
        .quantity()
        .filter(each -> !each.isPositive())
        .ifPresent(_ -> quantity.invalid("must be greater than zero"));
  }

  static void checkClass(Field name) {
    if (!name.isEmpty()) Names.SUBDOMAIN.check(name);
  }

  static void checkMode(Field mode) {
    if (!mode.isOneOf("Block", "Filesystem")) mode.notSupported("Block", "Filesystem");
  }

  @Override
  public void checkChange(Field volume, Field stored) {
    var spec = volume.at("spec");
    var before = stored.at("spec");
    checkSource(spec, before);
    spec.at("volumeMode").namedAs("volumeMode").immutable(before.at("volumeMode"));
    checkAffinityChange(spec.at("nodeAffinity"), before.at("nodeAffinity"));
    var attributes = "volumeAttributesClassName";
    if (before.at(attributes).isSet() && !spec.at(attributes).isSet())
      spec.at(attributes).forbidden("update from non-nil value to nil is forbidden");
  }

  private static void checkSource(Field spec, Field before) {
    var was = VolumeSources.only((ObjectNode) before.node());
    var is = VolumeSources.only((ObjectNode) spec.node()).deepCopy();
    if (!was.path("csi").has("controllerExpandSecretRef")
        && is.get("csi") instanceof ObjectNode csi) csi.remove("controllerExpandSecretRef");
    if (Trees.same(was, is)) return;
    spec.namedAs("spec.persistentvolumesource")
        .forbidden(
            "spec.persistentvolumesource is immutable after creation\n"
                + Difference.between(was, is));
  }

  private static void checkAffinityChange(Field affinity, Field before) {
    if (!before.isSet() || affinity.same(before)) return;
    if (!renamed(before.node()).equals(renamed(affinity.node())))
      affinity.invalid("field is immutable");
  }

  private static JsonNode renamed(JsonNode affinity) {
    var copy = affinity.deepCopy();
    for (var term : copy.path("required").path("nodeSelectorTerms"))
      for (var expression : term.path("matchExpressions"))
        if (expression instanceof ObjectNode each) {
          var key = each.path("key").asText();
          each.set("key", TextNode.valueOf(BETA_TO_GA.getOrDefault(key, key)));
        }
    return copy;
  }

  private static boolean same(ObjectNode status, JsonNode before, String field) {
    return status.path(field).asText("").equals(before.path(field).asText(""));
  }

  private static String second(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
