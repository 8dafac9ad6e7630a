package dev.berth.sidecar.provisioner;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.Volume;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.secret.SecretUse;
import java.util.List;
import java.util.TreeMap;

/// Describes a created volume as the PersistentVolume that is to be saved (spec/provisioner.md,
/// sections 8 and 9).
final class NewVolume {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// Volume attribute that tells which process created the volume; the driver may set it otherwise.
  private static final String IDENTITY = "storage.kubernetes.io/csiProvisionerIdentity";

  private final DriverFacts driver;
  private final String identity;

  /// @param identity of this process (PROV-07)
  NewVolume(DriverFacts driver, String identity) {
    this.driver = driver;
    this.identity = identity;
  }

  /// @param created the driver's answer
  ObjectNode describe(VolumePlan plan, Volume created) {
    var volume =
        JSON.objectNode()
            .put("apiVersion", Resources.VOLUMES.apiVersion())
            .put("kind", Resources.VOLUMES.kind());
    volume.set("metadata", metadata(plan));
    volume.set("spec", spec(plan, created));
    return volume;
  }

  private static ObjectNode metadata(VolumePlan plan) {
    var recipe = plan.intent().recipe();
    var metadata = JSON.objectNode().put("name", plan.intent().volume());
    if (recipe
        .reclaimPolicy()
        .equals("Delete")) // others: nothing to be done before the object goes
    metadata.putArray("finalizers").add(Finalizers.PROVISIONER);
    var annotations =
        metadata.putObject("annotations").put(Annotations.PROVISIONED_BY, recipe.provisioner());
    var deletion = plan.secrets().of(SecretUse.PROVISION);
    annotations
        .put(Annotations.DELETION_SECRET_NAME, deletion.map(SecretRef::name).orElse(""))
        .put(Annotations.DELETION_SECRET_NAMESPACE, deletion.map(SecretRef::namespace).orElse(""));
    plan.secrets()
        .of(SecretUse.CONTROLLER_MODIFY)
        .ifPresent(secret ->
            annotations
                .put(Annotations.MODIFY_SECRET_NAME, secret.name())
                .put(Annotations.MODIFY_SECRET_NAMESPACE, secret.namespace()));
    return metadata;
  }

  private ObjectNode spec(VolumePlan plan, Volume created) {
    var claim = plan.claim();
    var recipe = plan.intent().recipe();
    var spec = JSON.objectNode();
    var modes = spec.putArray("accessModes");
    claim.accessModes().forEach(mode -> modes.add(mode.text()));
    spec.putObject("capacity").put("storage", size(claim, created).toString());
    if (!recipe.mountOptions().isEmpty()) {
      var options = spec.putArray("mountOptions");
      recipe.mountOptions().forEach(options::add);
    }
    spec.put("persistentVolumeReclaimPolicy", recipe.reclaimPolicy())
        .put("volumeMode", claim.volumeMode().text())
        .put("storageClassName", recipe.className());
    plan.intent()
        .attributes()
        .ifPresent(it -> spec.put("volumeAttributesClassName", it.className())); // PROV-102
    spec.set("claimRef", claimRef(claim));
    spec.set("csi", source(plan, created));
    if (driver.hasTopology()) affinity(spec, created.getAccessibleTopologyList()); // PROV-80
    return spec;
  }

  /// What the driver says, or what was asked for if it does not say (PROV-95).
  private static Quantity size(Claim claim, Volume created) {
    long bytes = created.getCapacityBytes();
    return Quantity.ofBytes(bytes == 0 ? claim.request().toLong() : bytes);
  }

  private static ObjectNode claimRef(Claim claim) {
    return JSON.objectNode()
        .put("kind", Resources.CLAIMS.kind())
        .put("apiVersion", Resources.CLAIMS.apiVersion())
        .put("namespace", claim.meta().namespace())
        .put("name", claim.meta().name())
        .put("uid", claim.meta().uid())
        .put("resourceVersion", claim.meta().resourceVersion());
  }

  private ObjectNode source(VolumePlan plan, Volume created) {
    var source =
        JSON.objectNode().put("driver", driver.name()).put("volumeHandle", created.getVolumeId());
    if (plan.readOnly()) source.put("readOnly", true);
    if (!plan.fsType().isEmpty()) source.put("fsType", plan.fsType());
    var attributes = new TreeMap<String, String>();
    attributes.put(IDENTITY, identity);
    attributes.putAll(created.getVolumeContextMap());
    attributes.forEach(source.putObject("volumeAttributes")::put);
    secret(source, "controllerPublishSecretRef", plan, SecretUse.CONTROLLER_PUBLISH);
    secret(source, "nodeStageSecretRef", plan, SecretUse.NODE_STAGE);
    secret(source, "nodePublishSecretRef", plan, SecretUse.NODE_PUBLISH);
    secret(source, "controllerExpandSecretRef", plan, SecretUse.CONTROLLER_EXPAND);
    secret(source, "nodeExpandSecretRef", plan, SecretUse.NODE_EXPAND);
    return source;
  }

  private static void secret(ObjectNode source, String field, VolumePlan plan, SecretUse use) {
    plan.secrets()
        .of(use)
        .ifPresent(secret ->
            source
                .putObject(field)
                .put("name", secret.name())
                .put("namespace", secret.namespace()));
  }

  /// One term for each part of the cluster that reaches the volume; a required affinity without
  /// terms would be refused for ever (PROV-92).
  private static void affinity(ObjectNode spec, List<Topology> reachable) {
    var terms = JSON.arrayNode();
    for (var topology : reachable) {
      if (topology.getSegmentsMap().isEmpty()) continue;
      var expressions = terms.addObject().putArray("matchExpressions");
      new TreeMap<>(topology.getSegmentsMap())
          .forEach((key, value) ->
              expressions
                  .addObject()
                  .put("key", key)
                  .put("operator", "In")
                  .putArray("values")
                  .add(value));
    }
    if (!terms.isEmpty())
      spec.putObject("nodeAffinity").putObject("required").set("nodeSelectorTerms", terms);
  }
}
