package dev.berth.apiserver.core.kind.storage;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.Names;
import dev.berth.apiserver.core.field.Trees;
import java.util.List;
import java.util.Locale;

/// What a PersistentVolume's storage can be: exactly one of these fields (API-96, API-107).
public final class VolumeSources {
  private static final List<String> NAMES =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "glusterfs",
          "flocker",
          "nfs",
          "rbd",
          "quobyte",
          "cephfs",
          "iscsi",
          "cinder",
          "fc",
          "flexVolume",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "scaleIO",
          "local",
          "storageos",
          "csi");

  /// Secrets of a CSI volume that need both a name and a namespace; the one for staging is not
  /// checked upstream either.
  private static final List<String> CHECKED_SECRETS =
      List.of(
          "controllerPublishSecretRef",
          "nodePublishSecretRef",
          "controllerExpandSecretRef",
          "nodeExpandSecretRef");

  private VolumeSources() {}

  /// Only the source of a volume's `spec`, with its field.
  static ObjectNode only(ObjectNode spec) {
    var source = JsonNodeFactory.instance.objectNode();
    for (var name : NAMES) if (spec.has(name)) source.set(name, spec.get(name));
    return source;
  }

  public static void setDefaults(ObjectNode spec) {
    if (spec.get("hostPath") instanceof ObjectNode path && !path.has("type")) path.put("type", "");
    if (spec.get("iscsi") instanceof ObjectNode iscsi)
      Trees.setDefault(iscsi, "iscsiInterface", "default");
    if (spec.get("rbd") instanceof ObjectNode rbd) {
      Trees.setDefault(rbd, "pool", "rbd");
      Trees.setDefault(rbd, "user", "admin");
      Trees.setDefault(rbd, "keyring", "/etc/ceph/keyring");
    }
    if (spec.get("scaleIO") instanceof ObjectNode scaleIo) {
      Trees.setDefault(scaleIo, "storageMode", "ThinProvisioned");
      Trees.setDefault(scaleIo, "fsType", "xfs");
    }
    if (spec.get("azureDisk") instanceof ObjectNode disk) {
      Trees.setDefault(disk, "cachingMode", "ReadWrite");
      Trees.setDefault(disk, "kind", "Shared");
      Trees.setDefault(disk, "fsType", "ext4");
      Trees.setDefault(disk, "readOnly", false);
    }
  }

  /// What is wrong with the source in `spec`.
  static void check(Field spec) {
    int found = 0;
    for (var name : NAMES) {
      var source = spec.at(name);
      if (!source.isSet()) continue;
      if (found++ > 0) source.forbidden("may not specify more than 1 volume type");
      else checkOne(name, source);
    }
    if (found == 0) spec.required("must specify a volume type");
  }

  private static void checkOne(String name, Field source) {
    switch (name) {
      case "csi" -> checkCsi(source);
      case "hostPath", "local" -> {
        if (source.at("path").demand()) checkNoStepBack(source.at("path"));
      }
      case "nfs" -> {
        source.at("server").demand();
        if (source.at("path").demand() && !source.at("path").text().startsWith("/"))
          source.at("path").invalid("must be an absolute path");
      }
      default -> {}
    }
  }

  private static void checkCsi(Field csi) {
    checkDriverName(csi.at("driver"));
    csi.at("volumeHandle").demand();
    for (var secret : CHECKED_SECRETS) {
      if (!csi.at(secret).isSet()) continue;
      csi.at(secret).at("name").demand();
      csi.at(secret).at("namespace").demand();
    }
  }

  /// A CSI driver's name: at most 63 characters, a DNS name but for its case.
  public static void checkDriverName(Field name) {
    if (!name.demand()) return;
    if (name.text().length() > 63) name.tooLong(63);
    else if (!Names.SUBDOMAIN.admit(name.text().toLowerCase(Locale.ROOT)))
      Names.CSI_DRIVER.check(name);
  }

  public static void checkNoStepBack(Field path) {
    if (List.of(path.text().split("/")).contains("..")) path.invalid("must not contain '..'");
  }
}
