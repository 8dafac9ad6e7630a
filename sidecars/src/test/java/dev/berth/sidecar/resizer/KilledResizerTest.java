package dev.berth.sidecar.resizer;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Api;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.ClaimGrowth.Stage;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.WatchedApi;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The resizer is killed on either side of each of its three writes, and so on either side of the
/// call to the driver.
class KilledResizerTest {
  private static final int SIDES = 6;

  /// The process is gone: nothing that it was about to do happens.
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  enum Node {
    FOLLOWS,
    HAS_NOTHING_TO_DO
  }

  @ParameterizedTest
  @EnumSource
  void doesTheSameAgainAndNoMore(Node node) { // RSZ-31, RSZ-103
    for (int at = 0; at < SIDES; at++) live(node, at);
  }

  private static void live(Node node, int at) {
    try (var bench = new Bench()) {
      wanted(bench);
      if (node == Node.FOLLOWS)
        bench.driver().grows(it -> it.toBuilder().setNodeExpansionRequired(true).build());
      run(bench, new WatchedApi(bench.api(), killing(at)));
      bench.kill();
      run(bench, bench.api());
      bench.pass(Duration.ofSeconds(10));

      var story = "killed at " + at + ": " + bench.driver().calls();
      var two = Quantity.parse("2Gi");
      assertThat(bench.get(Kinds.VOLUME, VOLUME).capacity()).as(story).isEqualTo(two);
      assertThat(bench.get(Kinds.CLAIM, "data").growth().stage())
          .as(story)
          .isEqualTo(node == Node.FOLLOWS ? Stage.NODE_PENDING : Stage.NONE);
      assertThat(bench.driver().calls())
          .as(story)
          .hasSizeBetween(1, 2)
          .containsOnly("Expand vol-1 " + two.toLong());
    }
  }

  private static WatchedApi.Guard killing(int at) {
    return new WatchedApi.Guard() {
      private int passed;

      @Override
      public void before(String request) {
        pass();
      }

      @Override
      public void after(String request) {
        pass();
      }

      private void pass() {
        if (passed++ >= at) throw new Killed();
      }
    };
  }

  private static void wanted(Bench bench) {
    bench.create(
        storageClass().with(true, "allowVolumeExpansion"),
        claim()
            .with(VOLUME, "spec", "volumeName")
            .with("Bound", "status", "phase")
            .with(Map.of("storage", "1Gi"), "status", "capacity"));
    var uid = bench.get(Kinds.CLAIM, "data").meta().uid();
    bench.create(Growing.PV.with(uid, "spec", "claimRef", "uid"));
    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"spec\": {\"resources\": {\"requests\": {\"storage\": \"2Gi\"}}}}");
  }

  private static void run(Bench bench, Api door) {
    var options = ResizerOptions.DEFAULT;
    bench.run(
        (api, events) ->
            new Controller<>(
                new Resizer(driver(EXPAND_VOLUME), Reach.CONTROLLER, options),
                new GrowthEffects(
                    DRIVER, options, bench.driver(), api, events, bench.time(), new Turns())),
        door);
  }
}
