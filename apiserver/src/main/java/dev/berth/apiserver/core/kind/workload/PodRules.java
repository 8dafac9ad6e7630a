package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Difference;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import dev.berth.apiserver.core.kind.Rules;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;

/// Pods (API-87, API-105). What stands in their volumes is checked by [PodVolumeRules].
public final class PodRules implements Rules {
  static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  @Override
  public Generation generation() {
    return Generation.FROM_ONE;
  }

  @Override
  public List<String> keptByStatusWrite() {
    return List.of("ownerReferences");
  }

  @Override
  public List<String> quantities() {
    return PodTemplates.quantities("spec");
  }

  @Override
  public void setDefaults(ObjectNode pod) {
    PodDefaults.set(Trees.objectAt(pod, "spec"));
  }

  @Override
  public void start(ObjectNode pod, Instant now) {
    pod.putObject("status")
        .put("phase", "Pending")
        .put("qosClass", QualityOfService.of(pod.path("spec")).word());
  }

  /// What is neither on a node nor running any more goes at once; everything else gets time.
  @Override
  public long grace(ObjectNode pod, long wanted) {
    var spec = pod.path("spec");
    var phase = Json.text(pod.path("status"), "phase");
    if (Json.text(spec, "nodeName").isEmpty()) return 0;
    if (phase.equals("Succeeded") || phase.equals("Failed")) return 0;
    if (wanted >= 0) return wanted;
    long own = spec.path("terminationGracePeriodSeconds").asLong(0);
    return own < 0 ? 1 : own;
  }

  @Override
  public void check(Field pod) {
    checkSpec(pod.at("metadata").at("name").text(), pod.at("spec"));
  }

  /// What is wrong with the specification of a pod.
  ///
  /// @param pod its name; empty: it has none yet
  static void checkSpec(String pod, Field spec) {
    if (spec.at("containers").demand()) checkContainers(spec);
    checkIdentities(spec.at("securityContext"));
    PodVolumeRules.check(pod, spec);
    spec.at("restartPolicy").demandOneOf("Always", "OnFailure", "Never");
    if (!spec.at("nodeName").isEmpty()) Names.SUBDOMAIN.check(spec.at("nodeName"));
    if (!spec.at("serviceAccountName").isEmpty())
      Names.SUBDOMAIN.check(spec.at("serviceAccountName"));
    var deadline = spec.at("activeDeadlineSeconds");
    if (deadline.isSet() && deadline.node().asLong() < 1)
      deadline.invalid("must be between 1 and 2147483647, inclusive");
  }

  private static void checkContainers(Field spec) {
    var names = new HashSet<String>();
    long grace = spec.at("terminationGracePeriodSeconds").node().asLong();
    for (var list : CONTAINERS)
      for (var container : spec.at(list).elements()) {
        var name = container.at("name");
        if (name.demand()) Names.LABEL.check(name);
        if (!names.add(name.text())) name.duplicate();
        container.at("image").demand();
        checkIdentities(container.at("securityContext"));
        // those that are added later have none of it, which kubectl debug knows
        if (list.equals("initContainers")) ContainerRules.checkInit(container, grace);
        else if (list.equals("containers")) ContainerRules.check(container, grace);
      }
  }

  /// The kernel takes -1 and 4294967295 for "leave it": root's programs would stay root's.
  private static void checkIdentities(Field context) {
    for (var field : List.of("runAsUser", "runAsGroup", "fsGroup"))
      checkIdentity(context.at(field));
    context.at("supplementalGroups").elements().forEach(PodRules::checkIdentity);
  }

  private static void checkIdentity(Field identity) {
    if (!identity.isSet()) return;
    long number = identity.node().asLong();
    if (number < 0 || number > Integer.MAX_VALUE)
      identity.invalid("must be between 0 and 2147483647, inclusive");
  }

  /// They are for a pod that runs.
  @Override
  public void checkNew(Field pod) {
    var added = pod.at("spec").at("ephemeralContainers");
    if (!added.elements().isEmpty()) added.forbidden("cannot be set on create");
  }

  @Override
  public void checkChange(Field pod, Field stored) {
    var was = (ObjectNode) stored.at("spec").node();
    var is = ((ObjectNode) pod.at("spec").node()).deepCopy();
    restoreImages(is, was);
    restoreDeadline(is, was);
    if (addsOnly(is.path("tolerations"), was.path("tolerations")))
      Trees.restore(is, was, "tolerations");
    if (was.path("terminationGracePeriodSeconds").asLong() < 0
        && is.path("terminationGracePeriodSeconds").asLong() == 1)
      Trees.restore(is, was, "terminationGracePeriodSeconds");
    if (addsOnly(was.path("schedulingGates"), is.path("schedulingGates")))
      Trees.restore(is, was, "schedulingGates");
    if (!was.path("schedulingGates").isEmpty()
        && addsKeysOnly(is.path("nodeSelector"), was.path("nodeSelector")))
      Trees.restore(is, was, "nodeSelector");
    if (Trees.same(is, was)) return;
    pod.at("spec")
        .forbidden(
            "pod updates may not change fields other than"
                + " `spec.containers[*].image`,`spec.initContainers[*].image`,"
                + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing"
                + " tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if"
                + " it was previously negative)\n"
                + Difference.between(was, is));
  }

  private static void restoreImages(ObjectNode is, ObjectNode was) {
    for (var list : List.of("containers", "initContainers")) {
      var before = was.path(list);
      var after = is.path(list);
      for (int i = 0; i < Math.min(before.size(), after.size()); i++)
        if (after.get(i) instanceof ObjectNode container
            && before.get(i) instanceof ObjectNode old
            && !Json.text(container, "image").isEmpty()) Trees.restore(container, old, "image");
    }
  }

  /// A deadline may be set, and may come nearer.
  private static void restoreDeadline(ObjectNode is, ObjectNode was) {
    var field = "activeDeadlineSeconds";
    if (!is.has(field)) return;
    if (!was.has(field) || is.path(field).asLong() <= was.path(field).asLong())
      Trees.restore(is, was, field);
  }

  /// Whether `after` wants all that `before` wants: whoever holds a gate may narrow where it goes.
  private static boolean addsKeysOnly(JsonNode after, JsonNode before) {
    for (var field : before.properties())
      if (!field.getValue().equals(after.get(field.getKey()))) return false;
    return true;
  }

  /// Whether `after` has all that `before` has.
  private static boolean addsOnly(JsonNode after, JsonNode before) {
    var there = new HashSet<JsonNode>();
    after.forEach(there::add);
    for (var element : before) if (!there.contains(element)) return false;
    return true;
  }
}
