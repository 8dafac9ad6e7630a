package dev.berth.cli.sidecars;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.model.Kinds;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.capacity.CapacityOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What the sidecars watch.
class ScopesTest {
  @Test
  void publishedRoomIsWatchedInItsNamespaceAlone() { // PROV-189
    var capacity =
        new CapacityOptions(
            "storage",
            Optional.empty(),
            CapacityOptions.CENTRAL,
            false,
            Duration.ofMinutes(1),
            1,
            Duration.ofSeconds(10));
    var scopes = SidecarProcess.scopes(SidecarOptions.DEFAULT.with(capacity));

    assertThat(scopes)
        .filteredOn(scope -> scope.kind().equals(Kinds.STORAGE_CAPACITY))
        .singleElement()
        .isInstanceOfSatisfying(
            Scope.Selected.class, scope -> assertThat(scope.namespace()).isEqualTo("storage"));
    assertThat(scopes).hasSameSizeAs(Set.copyOf(DriverSidecars.KINDS));
  }

  @Test
  void ofPodsOnlyWhatSidecarsReadIsKept() throws Exception { // ONE-14, RSZ-64
    var json =
        new ObjectMapper()
            .readTree(
                """
                {"metadata": {"namespace": "shop", "name": "web"},
                 "spec": {"nodeName": "n", "volumes": [{"name": "data",
                   "persistentVolumeClaim": {"claimName": "data"}}]},
                 "status": {"phase": "Running"}}
                """);
    var whole = Kinds.POD.read().apply(json);

    assertThat(SidecarProcess.scopes(SidecarOptions.DEFAULT))
        .filteredOn(scope -> scope.kind().equals(Kinds.POD))
        .singleElement()
        .satisfies(scope -> assertThat(scope.kind().read().apply(json)).isEqualTo(whole.bare()));
    assertThat(whole.bare().spec().isMissingNode()).isTrue();
    assertThat(whole.bare().volumes()).isEqualTo(whole.volumes());
  }
}
