package dev.berth.apiserver.core;

import dev.berth.kube.model.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The kinds that we serve (API-01, API-04, API-05, API-86).
public final class Resources {
  private static final String STORAGE = "storage.k8s.io";

  private static final List<Served> ALL =
      List.of(
          core("namespaces", "Namespace", Scope.CLUSTER)
              .named("namespace", "ns")
              .with("finalize", "status")
              .served(),
          core("nodes", "Node", Scope.CLUSTER)
              .named("node", "no")
              .with("status")
              .statusWhenGone()
              .served(),
          core("pods", "Pod", Scope.NAMESPACED)
              .named("pod", "po")
              .in("all")
              .with("binding", "eviction", "status")
              .served(),
          core("persistentvolumes", "PersistentVolume", Scope.CLUSTER)
              .named("persistentvolume", "pv")
              .with("status")
              .served(),
          core("persistentvolumeclaims", "PersistentVolumeClaim", Scope.NAMESPACED)
              .named("persistentvolumeclaim", "pvc")
              .with("status")
              .served(),
          core("secrets", "Secret", Scope.NAMESPACED).named("secret").statusWhenGone().served(),
          core("configmaps", "ConfigMap", Scope.NAMESPACED)
              .named("configmap", "cm")
              .statusWhenGone()
              .served(),
          core("serviceaccounts", "ServiceAccount", Scope.NAMESPACED)
              .named("serviceaccount", "sa")
              .served(),
          core("events", "Event", Scope.NAMESPACED).named("event", "ev").statusWhenGone().served(),
          of(STORAGE, "storageclasses", "StorageClass", Scope.CLUSTER)
              .named("storageclass", "sc")
              .served(),
          of(STORAGE, "volumeattachments", "VolumeAttachment", Scope.CLUSTER)
              .named("volumeattachment")
              .with("status")
              .served(),
          of(STORAGE, "csinodes", "CSINode", Scope.CLUSTER).named("csinode").served(),
          of(STORAGE, "csidrivers", "CSIDriver", Scope.CLUSTER).named("csidriver").served(),
          of(STORAGE, "csistoragecapacities", "CSIStorageCapacity", Scope.NAMESPACED)
              .named("csistoragecapacity")
              .statusWhenGone()
              .served(),
          of(STORAGE, "volumeattributesclasses", "VolumeAttributesClass", Scope.CLUSTER)
              .named("volumeattributesclass", "vac")
              .served(),
          of("coordination.k8s.io", "leases", "Lease", Scope.NAMESPACED)
              .named("lease")
              .statusWhenGone()
              .served());

  private static final Map<Resource, Served> BY_RESOURCE = byResource();

  private Resources() {}

  /// All kinds, group by group.
  public static List<Served> all() {
    return ALL;
  }

  /// @param group empty for the core group
  public static Optional<Served> find(String group, String version, String plural) {
    return ALL.stream()
        .filter(served ->
            served.resource().group().equals(group)
                && served.resource().version().equals(version)
                && served.resource().plural().equals(plural))
        .findFirst();
  }

  static Optional<Served> find(Resource resource) {
    return Optional.ofNullable(BY_RESOURCE.get(resource));
  }

  private static Map<Resource, Served> byResource() {
    var map = new LinkedHashMap<Resource, Served>();
    ALL.forEach(served -> map.put(served.resource(), served));
    return map;
  }

  private enum Scope {
    CLUSTER,
    NAMESPACED
  }

  private static Row core(String plural, String kind, Scope scope) {
    return of("", plural, kind, scope);
  }

  private static Row of(String group, String plural, String kind, Scope scope) {
    return new Row(new Resource(group, "v1", plural, kind, scope == Scope.NAMESPACED));
  }

  /// One row of the table, read from left to right.
  private static final class Row {
    private final Resource resource;
    private final List<String> shortNames = new ArrayList<>();
    private final List<String> categories = new ArrayList<>();
    private final List<String> subresources = new ArrayList<>();
    private String singular = "";
    private boolean statusWhenGone;

    Row(Resource resource) {
      this.resource = resource;
    }

    Row named(String singular, String... shortNames) {
      this.singular = singular;
      this.shortNames.addAll(List.of(shortNames));
      return this;
    }

    Row in(String category) {
      categories.add(category);
      return this;
    }

    Row with(String... subresources) {
      this.subresources.addAll(List.of(subresources));
      return this;
    }

    Row statusWhenGone() {
      statusWhenGone = true;
      return this;
    }

    Served served() {
      return new Served(resource, singular, shortNames, categories, subresources, statusWhenGone);
    }
  }
}
