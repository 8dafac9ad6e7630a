package dev.berth.kube.model;

/// The resources of Kubernetes that Berth knows, as the API serves them.
public final class Resources {
  private static final String STORAGE = "storage.k8s.io";

  public static final Resource NAMESPACES = core("namespaces", "Namespace", false);
  public static final Resource NODES = core("nodes", "Node", false);
  public static final Resource PODS = core("pods", "Pod", true);
  public static final Resource VOLUMES = core("persistentvolumes", "PersistentVolume", false);
  public static final Resource CLAIMS =
      core("persistentvolumeclaims", "PersistentVolumeClaim", true);
  public static final Resource SECRETS = core("secrets", "Secret", true);
  public static final Resource CONFIG_MAPS = core("configmaps", "ConfigMap", true);
  public static final Resource SERVICE_ACCOUNTS = core("serviceaccounts", "ServiceAccount", true);
  public static final Resource EVENTS = core("events", "Event", true);
  public static final Resource STORAGE_CLASSES = storage("storageclasses", "StorageClass", false);
  public static final Resource ATTACHMENTS =
      storage("volumeattachments", "VolumeAttachment", false);
  public static final Resource CSI_NODES = storage("csinodes", "CSINode", false);
  public static final Resource CSI_DRIVERS = storage("csidrivers", "CSIDriver", false);
  public static final Resource STORAGE_CAPACITIES =
      storage("csistoragecapacities", "CSIStorageCapacity", true);
  public static final Resource ATTRIBUTES_CLASSES =
      storage("volumeattributesclasses", "VolumeAttributesClass", false);
  public static final Resource LEASES =
      new Resource("coordination.k8s.io", "v1", "leases", "Lease", true);

  private Resources() {}

  private static Resource core(String plural, String kind, boolean namespaced) {
    return new Resource("", "v1", plural, kind, namespaced);
  }

  private static Resource storage(String plural, String kind, boolean namespaced) {
    return new Resource(STORAGE, "v1", plural, kind, namespaced);
  }
}
