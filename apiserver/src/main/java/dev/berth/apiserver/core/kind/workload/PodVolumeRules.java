package dev.berth.apiserver.core.kind.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.kind.storage.ClaimRules;
import dev.berth.apiserver.core.kind.storage.VolumeSources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A pod's volumes and where its containers mount them (API-105).
public final class PodVolumeRules {
  private static final String[] PROPAGATIONS = {"Bidirectional", "HostToContainer", "None"};

  private PodVolumeRules() {}

  static void check(String pod, Field spec) {
    var volumes = new HashMap<String, Field>();
    for (var volume : spec.at("volumes").elements()) {
      var name = volume.at("name");
      if (name.demand()) Names.LABEL.check(name);
      if (volumes.put(name.text(), volume) != null) name.duplicate();
      checkSource(volume);
    }
    checkNotBorrowed(pod, volumes);
    for (var list : PodRules.CONTAINERS)
      for (var container : spec.at(list).elements()) checkContainer(container, volumes);
  }

  private static void checkSource(Field volume) {
    if (!(volume.node() instanceof ObjectNode object)) return;
    var sources = PodDefaults.sources(object);
    for (var extra : sources.subList(Math.min(1, sources.size()), sources.size()))
      volume.at(extra).forbidden("may not specify more than 1 volume type");
    if (volume.at("csi").isSet()) VolumeSources.checkDriverName(volume.at("csi").at("driver"));
    if (volume.at("persistentVolumeClaim").isSet())
      volume.at("persistentVolumeClaim").at("claimName").demand();
    if (volume.at("hostPath").isSet())
      VolumeSources.checkNoStepBack(volume.at("hostPath").at("path"));
    if (volume.at("ephemeral").isSet()) checkTemplate(volume.at("ephemeral"));
    PodFileRules.check(volume);
  }

  private static void checkTemplate(Field ephemeral) {
    var template = ephemeral.at("volumeClaimTemplate");
    if (!template.isSet()) {
      template.required();
      return;
    }
    var meta = template.at("metadata");
    for (var name : meta.names())
      if (!name.equals("labels") && !name.equals("annotations") && meta.at(name).isSet())
        meta.at(name).forbidden("cannot be set for an ephemeral volume");
    new ClaimRules().check(template);
  }

  /// The claim of an ephemeral volume is its own: no other volume of the pod names it.
  private static void checkNotBorrowed(String pod, Map<String, Field> volumes) {
    var own = new HashSet<String>();
    volumes.forEach((name, volume) -> {
      if (volume.at("ephemeral").isSet()) own.add(pod + "-" + name);
    });
    for (var volume : volumes.values()) {
      var claim = volume.at("persistentVolumeClaim").at("claimName");
      if (own.contains(claim.text()))
        claim.invalid("must not reference a PVC that gets created for an ephemeral volume");
    }
  }

  private static void checkContainer(Field container, Map<String, Field> volumes) {
    var paths = new HashSet<String>();
    var mounted = new HashSet<String>();
    for (var mount : container.at("volumeMounts").elements()) {
      checkKnown(mount.at("name"), volumes);
      mounted.add(mount.at("name").text());
      var path = mount.at("mountPath");
      if (path.demand() && !paths.add(path.text())) path.invalid("must be unique");
      if (path.text().contains(":")) path.invalid("must not contain ':'");
      checkSubPath(mount);
      checkPropagation(mount.at("mountPropagation"), container);
    }
    var devices = new HashSet<String>();
    for (var device : container.at("volumeDevices").elements()) {
      checkKnown(device.at("name"), volumes);
      checkDevice(device, volumes, mounted);
      var path = device.at("devicePath");
      if (!path.demand()) continue;
      if (!devices.add(path.text()) || paths.contains(path.text())) path.invalid("must be unique");
      VolumeSources.checkNoStepBack(path);
    }
  }

  private static void checkKnown(Field name, Map<String, Field> volumes) {
    if (name.demand() && !volumes.containsKey(name.text())) name.notFound();
  }

  private static void checkDevice(Field device, Map<String, Field> volumes, Set<String> mounted) {
    var name = device.at("name");
    if (mounted.contains(name.text())) name.invalid("must not already exist in volumeMounts");
    var volume = volumes.get(name.text());
    if (volume == null) return;
    boolean block = volume.at("persistentVolumeClaim").isSet() || volume.at("ephemeral").isSet();
    if (!block)
      name.invalid(
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
  }

  private static void checkSubPath(Field mount) {
    for (var name : List.of("subPath", "subPathExpr")) {
      var path = mount.at(name);
      if (!path.isEmpty()) PodFileRules.checkDescending(path);
    }
    if (!mount.at("subPath").isEmpty() && !mount.at("subPathExpr").isEmpty())
      mount.at("subPathExpr").invalid("subPathExpr and subPath are mutually exclusive");
  }

  /// What a container mounts within a mount of its own may show on the node only if the container
  /// may do everything there anyway.
  private static void checkPropagation(Field propagation, Field container) {
    if (!propagation.isSet()) return;
    if (!propagation.isOneOf(PROPAGATIONS)) propagation.notSupported(PROPAGATIONS);
    boolean privileged = container.at("securityContext").at("privileged").node().asBoolean();
    if (propagation.is("Bidirectional") && !privileged)
      propagation.forbidden(
          "Bidirectional mount propagation is available only to privileged containers");
  }
}
