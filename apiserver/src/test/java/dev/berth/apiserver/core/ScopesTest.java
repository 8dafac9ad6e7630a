package dev.berth.apiserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.core.state.Catalog;
import dev.berth.apiserver.core.state.Served;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Which kinds belong to a namespace (API-05).
class ScopesTest {
  @Test
  void theRestIsInANamespace() {
    var cluster =
        Catalog.all().stream()
            .map(Served::resource)
            .filter(resource -> !resource.namespaced())
            .map(resource -> resource.plural())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(cluster)
        .containsExactly(
            "clusterrolebindings",
            "clusterroles",
            "csidrivers",
            "csinodes",
            "customresourcedefinitions",
            "deviceclasses",
            "devicetaintrules",
            "ingressclasses",
            "ipaddresses",
            "mutatingwebhookconfigurations",
            "namespaces",
            "nodes",
            "persistentvolumes",
            "priorityclasses",
            "resourceslices",
            "runtimeclasses",
            "storageclasses",
            "validatingadmissionpolicies",
            "validatingadmissionpolicybindings",
            "validatingwebhookconfigurations",
            "volumeattachments",
            "volumeattributesclasses");
  }
}
