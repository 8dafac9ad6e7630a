package dev.berth.apiserver.core.state;

import static dev.berth.kube.model.Resources.ATTACHMENTS;
import static dev.berth.kube.model.Resources.ATTRIBUTES_CLASSES;
import static dev.berth.kube.model.Resources.CLAIMS;
import static dev.berth.kube.model.Resources.CONFIG_MAPS;
import static dev.berth.kube.model.Resources.CSI_DRIVERS;
import static dev.berth.kube.model.Resources.CSI_NODES;
import static dev.berth.kube.model.Resources.EVENTS;
import static dev.berth.kube.model.Resources.LEASES;
import static dev.berth.kube.model.Resources.NAMESPACES;
import static dev.berth.kube.model.Resources.NODES;
import static dev.berth.kube.model.Resources.PODS;
import static dev.berth.kube.model.Resources.SECRETS;
import static dev.berth.kube.model.Resources.SERVICE_ACCOUNTS;
import static dev.berth.kube.model.Resources.STORAGE_CAPACITIES;
import static dev.berth.kube.model.Resources.STORAGE_CLASSES;
import static dev.berth.kube.model.Resources.VOLUMES;

import dev.berth.kube.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The kinds that we serve (API-01, API-04).
public final class Catalog {
  private static final List<Served> ALL =
      List.of(
          served(NAMESPACES).shortNames("ns").subresources("finalize", "status"),
          served(NODES).shortNames("no").subresources("status"),
          served(PODS)
              .shortNames("po")
              .categories("all")
              .subresources("binding", "eviction", "status"),
          served(VOLUMES).shortNames("pv").subresources("status"),
          served(CLAIMS).shortNames("pvc").subresources("status"),
          served(SECRETS),
          served(CONFIG_MAPS).shortNames("cm"),
          served(SERVICE_ACCOUNTS).shortNames("sa"),
          served(EVENTS).shortNames("ev"),
          served(STORAGE_CLASSES).shortNames("sc"),
          served(ATTACHMENTS).subresources("status"),
          served(CSI_NODES),
          served(CSI_DRIVERS),
          served(STORAGE_CAPACITIES),
          served(ATTRIBUTES_CLASSES).shortNames("vac"),
          served(LEASES));

  private static final Map<Resource, Served> BY_RESOURCE =
      ALL.stream().collect(Collectors.toUnmodifiableMap(Served::resource, Function.identity()));

  private Catalog() {}

  /// All kinds, group by group.
  public static List<Served> all() {
    return ALL;
  }

  /// The kind under a path of the API.
  ///
  /// @param group empty for the core group
  public static Optional<Served> find(String group, String version, String plural) {
    return ALL.stream()
        .filter(served ->
            served.resource().group().equals(group)
                && served.resource().version().equals(version)
                && served.resource().plural().equals(plural))
        .findFirst();
  }

  /// The kind as it is served.
  ///
  /// @return empty: we do not serve it
  public static Optional<Served> find(Resource resource) {
    return Optional.ofNullable(BY_RESOURCE.get(resource));
  }

  private static Served served(Resource resource) {
    return new Served(resource, List.of(), List.of(), List.of());
  }
}
