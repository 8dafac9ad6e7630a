package dev.berth.kube.object;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// The resources of Kubernetes that Berth knows, as the API serves them.
public final class Resources {
  private static final String STORAGE = "storage.k8s.io";
  private static final String APPS = "apps";
  private static final String BATCH = "batch";

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

  /// What installs further kinds.
  public static final Resource DEFINITIONS =
      new Resource(
          "apiextensions.k8s.io",
          "v1",
          "customresourcedefinitions",
          "CustomResourceDefinition",
          false);

  public static final Resource LEASES =
      new Resource("coordination.k8s.io", "v1", "leases", "Lease", true);

  public static final Resource STATEFUL_SETS = workload(APPS, "statefulsets", "StatefulSet");
  public static final Resource DEPLOYMENTS = workload(APPS, "deployments", "Deployment");
  public static final Resource REPLICA_SETS = workload(APPS, "replicasets", "ReplicaSet");
  public static final Resource DAEMON_SETS = workload(APPS, "daemonsets", "DaemonSet");
  public static final Resource REVISIONS =
      workload(APPS, "controllerrevisions", "ControllerRevision");
  public static final Resource JOBS = workload(BATCH, "jobs", "Job");
  public static final Resource CRON_JOBS = workload(BATCH, "cronjobs", "CronJob");

  /// All of them.
  public static final List<Resource> ALL =
      List.of(
          NAMESPACES,
          NODES,
          PODS,
          VOLUMES,
          CLAIMS,
          SECRETS,
          CONFIG_MAPS,
          SERVICE_ACCOUNTS,
          EVENTS,
          STORAGE_CLASSES,
          ATTACHMENTS,
          CSI_NODES,
          CSI_DRIVERS,
          STORAGE_CAPACITIES,
          ATTRIBUTES_CLASSES,
          LEASES,
          DEFINITIONS,
          STATEFUL_SETS,
          DEPLOYMENTS,
          REPLICA_SETS,
          DAEMON_SETS,
          REVISIONS,
          JOBS,
          CRON_JOBS);

  /// Groups that are part of every release; of what is in them, [#ATTRIBUTES_CLASSES] are young.
  private static final Set<String> EVERYWHERE =
      Set.of("", APPS, BATCH, "policy", STORAGE, "coordination.k8s.io");

  private Resources() {}

  /// Whether there is no API server without it: who does not find it has not found the server.
  public static boolean isEverywhere(Resource resource) {
    return EVERYWHERE.contains(resource.group()) && !resource.equals(ATTRIBUTES_CLASSES);
  }

  /// The resource whose objects have this `apiVersion` and `kind`.
  public static Optional<Resource> find(String apiVersion, String kind) {
    return ALL.stream()
        .filter(each -> each.kind().equals(kind) && each.apiVersion().equals(apiVersion))
        .findFirst();
  }

  /// The resource that people mean by a word: its plural, its singular or its short name.
  public static Optional<Resource> named(String word) {
    var wanted = word.toLowerCase(Locale.ROOT);
    return ALL.stream()
        .filter(each ->
            each.plural().equals(wanted)
                || each.kind().toLowerCase(Locale.ROOT).equals(wanted)
                || shortName(each).equals(wanted))
        .findFirst();
  }

  /// As kubectl abbreviates it; empty: not at all (API-04).
  public static String shortName(Resource resource) {
    return switch (resource.plural()) {
      case "namespaces" -> "ns";
      case "nodes" -> "no";
      case "pods" -> "po";
      case "persistentvolumes" -> "pv";
      case "persistentvolumeclaims" -> "pvc";
      case "configmaps" -> "cm";
      case "serviceaccounts" -> "sa";
      case "events" -> "ev";
      case "storageclasses" -> "sc";
      case "volumeattributesclasses" -> "vac";
      case "customresourcedefinitions" -> "crd";
      case "statefulsets" -> "sts";
      case "deployments" -> "deploy";
      case "replicasets" -> "rs";
      case "daemonsets" -> "ds";
      case "cronjobs" -> "cj";
      case String _ -> "";
    };
  }

  private static Resource core(String plural, String kind, boolean namespaced) {
    return new Resource("", "v1", plural, kind, namespaced);
  }

  private static Resource workload(String group, String plural, String kind) {
    return new Resource(group, "v1", plural, kind, true);
  }

  private static Resource storage(String plural, String kind, boolean namespaced) {
    return new Resource(STORAGE, "v1", plural, kind, namespaced);
  }
}
