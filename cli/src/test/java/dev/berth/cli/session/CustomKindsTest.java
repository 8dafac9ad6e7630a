package dev.berth.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.table.Tables;
import dev.berth.cli.shipped.ShippedKinds;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/// Custom kinds by the words that people type (API-124).
class CustomKindsTest {
  @Test
  void aKindIsFoundByEachOfItsNames() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var api = new LocalApi(server, threads);
      ShippedKinds.install(api);
      var plural = "volumesnapshots";
      for (var word :
          List.of("vs", "volumesnapshot", "VolumeSnapshots", plural + ".snapshot.storage.k8s.io"))
        assertThat(CustomKinds.named(api, word).orElseThrow().resource().kind())
            .isEqualTo("VolumeSnapshot");
      assertThat(CustomKinds.named(api, "vgs").orElseThrow().resource().version())
          .isEqualTo("v1beta2");
      assertThat(CustomKinds.named(api, "pods")).isEmpty();
      var kind = CustomKinds.named(api, "vsc").orElseThrow();
      assertThat(Tables.of(kind)).isNotEqualTo(Tables.of(kind.resource()));
    }
  }
}
