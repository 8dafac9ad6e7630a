package dev.berth.controller.daemonset;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.PodForm;
import dev.berth.controller.workload.StateRecord;
import dev.berth.controller.workload.Texts;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Optional;

/// How the pods of a DaemonSet look, where they fit, how they come and go.
record DaemonPods(Workload set) {
  private static final int LONGEST_PREFIX = 57;

  /// A daemon stays where others have to go, and comes where others may not yet.
  private static final List<String> STAYS =
      List.of(Labels.NOT_READY_TAINT, Labels.UNREACHABLE_TAINT);

  private static final List<String> COMES =
      List.of(
          Labels.DISK_PRESSURE_TAINT,
          Labels.MEMORY_PRESSURE_TAINT,
          Labels.PID_PRESSURE_TAINT,
          Labels.UNSCHEDULABLE_TAINT);

  /// A pod of the present template for a node.
  private ObjectNode form(ObjectKey key, String node) {
    var pod = PodForm.of(set.template(), set, key);
    var spec = pod.withObject("/spec");
    var tolerations = spec.withArray("/tolerations");
    for (var taint : STAYS) tolerations.add(toleration(taint, "NoExecute"));
    for (var taint : COMES) tolerations.add(toleration(taint, "NoSchedule"));
    if (spec.path("hostNetwork").asBoolean())
      tolerations.add(toleration(Labels.NETWORK_TAINT, "NoSchedule"));
    var terms = JsonNodeFactory.instance.arrayNode();
    terms
        .addObject()
        .putArray("matchFields")
        .addObject()
        .put("key", "metadata.name")
        .put("operator", "In")
        .putArray("values")
        .add(node);
    spec.withObject("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
        .set("nodeSelectorTerms", terms);
    return pod;
  }

  private static ObjectNode toleration(String key, String effect) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("key", key)
        .put("operator", "Exists")
        .put("effect", effect);
  }

  /// The template as a pod that is not bound to a node yet.
  private Pod unbound() {
    var pod = form(set.meta().key(), "");
    var affinity = set.template().path("spec").path("affinity");
    if (affinity.isObject()) pod.withObject("/spec").set("affinity", affinity.deepCopy());
    else pod.withObject("/spec").remove("affinity");
    return Kinds.POD.read().apply(pod);
  }

  /// Whether a pod is to be made on a node.
  boolean comes(Node node) {
    return fits(node, List.of("NoSchedule", "NoExecute"));
  }

  /// Whether one that is there may stay.
  boolean stays(Node node) {
    return fits(node, List.of("NoExecute"));
  }

  private boolean fits(Node node, List<String> effects) {
    var pod = unbound();
    var name = Json.text(set.template().path("spec"), "nodeName");
    return (name.isEmpty() || name.equals(node.meta().name()))
        && node.meta().labels().entrySet().containsAll(pod.nodeSelector().entrySet())
        && pod.nodeAffinity().filter(it -> !it.matches(node)).isEmpty()
        && node.taints().stream()
            .filter(taint -> effects.contains(taint.effect()))
            .allMatch(taint -> pod.tolerations().stream().anyMatch(it -> it.tolerates(taint)));
  }

  /// The node that a pod was made for.
  static String node(Pod pod) {
    if (!pod.nodeName().isEmpty()) return pod.nodeName();
    var terms =
        pod.spec()
            .at("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
            .path("nodeSelectorTerms");
    for (var term : terms)
      for (var field : term.path("matchFields"))
        if (Json.text(field, "key").equals("metadata.name"))
          return field.path("values").path(0).asText("");
    return "";
  }

  /// What says by which template a pod was made.
  static String hash(StateRecord record) {
    return record.meta().labels().getOrDefault("controller.kubernetes.io/hash", "");
  }

  /// @param seed what its name follows from, beside the node
  Birth birth(String node, StateRecord record, String seed) {
    var name = set.meta().name();
    var prefix = (name.length() > LONGEST_PREFIX ? name.substring(0, LONGEST_PREFIX) : name) + "-";
    var key =
        ObjectKey.of(
            set.meta().namespace(),
            prefix + Texts.word(set.meta().uid() + "/" + node + "/" + seed));
    var pod = form(key, node);
    pod.withObject("/metadata").put("generateName", prefix);
    PodForm.label(pod, Labels.REVISION_HASH, hash(record));
    return new Birth(
        Resources.PODS,
        pod,
        Optional.of(
            Notice.normal(set.ref(), Reasons.SUCCESSFUL_CREATE, "Created pod: " + key.name())),
        Optional.of(Notice.warning(set.ref(), Reasons.FAILED_CREATE, "Error creating: ")));
  }

  Death death(Pod pod) {
    return new Death(
        pod.ref(),
        Optional.of(
            Notice.normal(
                set.ref(), Reasons.SUCCESSFUL_DELETE, "Deleted pod: " + pod.meta().name())),
        Optional.of(Notice.warning(set.ref(), Reasons.FAILED_DELETE, "Error deleting: ")));
  }
}
