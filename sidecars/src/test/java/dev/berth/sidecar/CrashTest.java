package dev.berth.sidecar;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import dev.berth.sidecar.reclaimer.Reclaimer;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Binder;
import dev.berth.sidecar.testing.SmallDriver;
import dev.berth.sidecar.testing.WatchedApi;
import dev.berth.sidecar.write.LifeMetrics;
import io.grpc.Status.Code;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A claim comes and goes while provisioner and reclaimer are killed at every point of their work:
/// on either side of each of their requests to the API, and so on either side of each call to the
/// driver.
class CrashTest {
  private static final LifeMetrics METRICS = new LifeMetrics(new PrometheusRegistry());

  /// A whole life without trouble takes 6 requests, each with two sides to be killed on; the rest
  /// is for second tries.
  private static final int KILLS = 20;

  private static final int DELETIONS = 8;

  /// How the driver fares meanwhile.
  enum Weather {
    FAIR,
    LOST_ANSWER,
    REFUSAL,
    SILENCE_THEN_REFUSAL,
    REFUSALS_ALL_OVER;

    private void comesOver(SmallDriver driver) {
      switch (this) {
        case FAIR -> {}
        case LOST_ANSWER -> driver.losesAnswer();
        case REFUSAL -> driver.refuses(Code.INTERNAL, "no");
        case SILENCE_THEN_REFUSAL -> {
          driver.refuses(Code.DEADLINE_EXCEEDED, "slow");
          driver.refuses(Code.INTERNAL, "no");
        }
        case REFUSALS_ALL_OVER -> {
          driver.refuses(Code.UNAVAILABLE, "not now");
          driver.losesAnswer();
          driver.refuses(Code.ABORTED, "busy");
          driver.losesAnswer();
        }
      }
    }
  }

  /// The process is gone: nothing that it was about to do happens.
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /// Kills at one side of one request, and has a user delete the claim before another.
  private static final class Fate implements WatchedApi.Guard {
    private final int killedAt;
    private final int deletedAt;
    private final Runnable deletion;
    private int passed;
    private int requests;
    boolean killed;

    Fate(int killedAt, int deletedAt, Runnable deletion) {
      this.killedAt = killedAt;
      this.deletedAt = deletedAt;
      this.deletion = deletion;
    }

    @Override
    public void before(String request) {
      if (requests++ == deletedAt) deletion.run();
      pass();
    }

    @Override
    public void after(String request) {
      pass();
    }

    private void pass() {
      if (killed || passed++ == killedAt) {
        killed = true;
        throw new Killed();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noVolumeIsLeakedWhateverIsKilledWhen(Weather weather) {
    for (int killedAt = 0; killedAt < KILLS; killedAt++)
      for (int deletedAt = 0; deletedAt < DELETIONS; deletedAt++)
        live(weather, killedAt, deletedAt);
  }

  private static void live(Weather weather, int killedAt, int deletedAt) {
    try (var bench = new Bench()) {
      var binder = new Binder(bench.api());
      var fate = new Fate(killedAt, deletedAt, () -> deleteClaim(bench));
      weather.comesOver(bench.driver());
      bench.create(storageClass(), claim());
      run(bench, new WatchedApi(bench.api(), fate));
      for (int i = 0; i < 60 && !(i > 10 && bench.all(Kinds.CLAIM).isEmpty()); i++) {
        if (i == 6 || (fate.killed && deletedAt % 2 == 0)) deleteClaim(bench);
        if (fate.killed) {
          bench.kill();
          fate.killed = false;
          run(bench, new WatchedApi(bench.api(), fate));
        }
        binder.work();
        bench.pass(Duration.ofSeconds(10));
      }
      var story =
          "%s, killed at %d, claim deleted at %d: %s"
              .formatted(weather, killedAt, deletedAt, bench.driver().calls());
      assertThat(bench.all(Kinds.CLAIM)).as(story).isEmpty();
      assertThat(bench.all(Kinds.VOLUME)).as(story).isEmpty();
      assertThat(bench.driver().volumes()).as(story).isEmpty();
    }
  }

  private static void run(Bench bench, WatchedApi door) {
    bench.run(
        (api, events) ->
            Provisioner.of(PLAIN, ProvisionerOptions.DEFAULT).controller(bench.means(api, events)),
        door);
    bench.run(
        (api, events) ->
            Reclaimer.of(PLAIN, Duration.ofSeconds(10), METRICS)
                .controller(bench.means(api, events)),
        door);
  }

  private static void deleteClaim(Bench bench) {
    if (bench.find(Kinds.CLAIM, "data").isEmpty()) return;
    bench.api().delete(Resources.CLAIMS, ObjectKey.of("shop", "data"), DeleteOptions.DEFAULT);
  }
}
