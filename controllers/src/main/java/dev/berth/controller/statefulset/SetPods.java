package dev.berth.controller.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.PodForm;
import dev.berth.controller.workload.StateRecord;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.HashSet;
import java.util.Optional;

/// How a set's pods and claims come and go, and what is told of it (STS-02).
record SetPods(Identity identity) {
  private Workload set() {
    return identity.set();
  }

  /// A pod by the template that a record keeps.
  Birth pod(int ordinal, StateRecord record) {
    var key = identity.pod(ordinal);
    var pod = PodForm.of(record.template(), set(), key);
    PodForm.label(pod, Labels.STATEFUL_SET_POD_NAME, key.name());
    PodForm.label(pod, Labels.POD_INDEX, Integer.toString(ordinal));
    PodForm.label(pod, Labels.REVISION_HASH, record.meta().name());
    var spec = pod.withObject("/spec");
    spec.put("hostname", key.name());
    var service = Json.text(set().spec(), "serviceName");
    if (!service.isEmpty()) spec.put("subdomain", service);
    mount(spec, ordinal);
    return new Birth(
        Resources.PODS,
        pod,
        Optional.of(
            Notice.normal(
                set().ref(),
                Reasons.SUCCESSFUL_CREATE,
                "create Pod %s in StatefulSet %s successful"
                    .formatted(key.name(), set().meta().name()))),
        Optional.of(failed(key, "")));
  }

  /// That a pod could not be made.
  ///
  /// @param why empty: it is still to be said
  Notice failed(ObjectKey pod, String why) {
    return Notice.warning(
        set().ref(),
        Reasons.FAILED_CREATE,
        "create Pod %s in StatefulSet %s failed error: %s"
            .formatted(pod.name(), set().meta().name(), why));
  }

  /// The claims take the place of the template's volumes of their names.
  private void mount(ObjectNode spec, int ordinal) {
    var volumes = JsonNodeFactory.instance.arrayNode();
    var claimed = new HashSet<String>();
    for (var template : set().spec().path("volumeClaimTemplates")) {
      var name = Json.text(template.path("metadata"), "name");
      claimed.add(name);
      volumes
          .addObject()
          .put("name", name)
          .putObject("persistentVolumeClaim")
          .put("claimName", identity.claim(name, ordinal).name());
    }
    for (var volume : spec.path("volumes"))
      if (!claimed.contains(Json.text(volume, "name"))) volumes.add(volume);
    if (!volumes.isEmpty()) spec.set("volumes", volumes);
  }

  /// A claim by its template, with the labels by which the set is found (STS-01).
  Birth claim(JsonNode template, int ordinal) {
    var key = identity.claim(Json.text(template.path("metadata"), "name"), ordinal);
    var claim = JsonNodeFactory.instance.objectNode();
    var meta = claim.putObject("metadata");
    meta.put("namespace", key.namespace()).put("name", key.name());
    var labels = meta.putObject("labels");
    Json.texts(template.path("metadata").path("labels")).forEach(labels::put);
    Json.texts(set().spec().path("selector").path("matchLabels")).forEach(labels::put);
    if (!template.path("metadata").path("annotations").isEmpty())
      meta.set("annotations", template.path("metadata").path("annotations").deepCopy());
    claim.set("spec", template.path("spec").deepCopy());
    var pod = identity.pod(ordinal);
    return new Birth(
        Resources.CLAIMS,
        claim,
        Optional.of(
            Notice.normal(
                set().ref(),
                Reasons.SUCCESSFUL_CREATE,
                "create Claim %s Pod %s in StatefulSet %s success"
                    .formatted(key.name(), pod.name(), set().meta().name()))),
        Optional.of(
            Notice.warning(
                set().ref(),
                Reasons.FAILED_CREATE,
                "create Claim %s for Pod %s in StatefulSet %s failed error: "
                    .formatted(key.name(), pod.name(), set().meta().name()))));
  }

  Death death(Pod pod) {
    var words =
        "delete Pod %s in StatefulSet %s ".formatted(pod.meta().name(), set().meta().name());
    return new Death(
        pod.ref(),
        Optional.of(Notice.normal(set().ref(), Reasons.SUCCESSFUL_DELETE, words + "successful")),
        Optional.of(Notice.warning(set().ref(), Reasons.FAILED_DELETE, words + "failed error: ")));
  }

  /// A pod that has ended is in the way of its successor.
  Death end(Pod pod) {
    var words =
        "StatefulSet %s is recreating pod %s, which has ended"
            .formatted(set().meta().key(), pod.meta().name());
    var notice =
        pod.phase() == Pod.Phase.FAILED
            ? Notice.warning(set().ref(), Reasons.RECREATING_FAILED_POD, words)
            : Notice.normal(set().ref(), Reasons.RECREATING_TERMINATED_POD, words);
    return new Death(pod.ref(), Optional.of(notice), Optional.empty());
  }
}
