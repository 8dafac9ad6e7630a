package dev.berth.apiserver.core.state;

import static dev.berth.apiserver.core.state.Served.builtIn;
import static dev.berth.kube.model.Resources.ATTACHMENTS;
import static dev.berth.kube.model.Resources.ATTRIBUTES_CLASSES;
import static dev.berth.kube.model.Resources.CLAIMS;
import static dev.berth.kube.model.Resources.CONFIG_MAPS;
import static dev.berth.kube.model.Resources.CSI_DRIVERS;
import static dev.berth.kube.model.Resources.CSI_NODES;
import static dev.berth.kube.model.Resources.DEFINITIONS;
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

import dev.berth.apiserver.core.custom.DefinitionRules;
import java.util.List;

/// The kinds that every server has (API-01, API-04); custom ones come beside them in [Kinds].
public final class Catalog {
  private static final List<Served> ALL =
      List.of(
          builtIn(NAMESPACES).shortNames("ns").subresources("finalize", "status"),
          builtIn(NODES).shortNames("no").subresources("status"),
          builtIn(PODS)
              .shortNames("po")
              .categories("all")
              .subresources("binding", "eviction", "status"),
          builtIn(VOLUMES).shortNames("pv").subresources("status"),
          builtIn(CLAIMS).shortNames("pvc").subresources("status"),
          builtIn(SECRETS),
          builtIn(CONFIG_MAPS).shortNames("cm"),
          builtIn(SERVICE_ACCOUNTS).shortNames("sa").subresources("token"),
          builtIn(EVENTS).shortNames("ev"),
          builtIn(STORAGE_CLASSES).shortNames("sc"),
          builtIn(ATTACHMENTS).subresources("status"),
          builtIn(CSI_NODES),
          builtIn(CSI_DRIVERS),
          builtIn(STORAGE_CAPACITIES),
          builtIn(ATTRIBUTES_CLASSES).shortNames("vac"),
          builtIn(LEASES),
          builtIn(DEFINITIONS)
              .ruledBy(new DefinitionRules())
              .shortNames("crd", "crds")
              .categories("api-extensions")
              .subresources("status"));

  private Catalog() {}

  /// All of them, group by group.
  public static List<Served> all() {
    return ALL;
  }
}
