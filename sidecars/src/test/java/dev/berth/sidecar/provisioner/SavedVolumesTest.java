package dev.berth.sidecar.provisioner;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Binder;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is made and cannot be saved, or is saved and nobody hears of it, on the real API and the
/// real loop.
class SavedVolumesTest {
  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private static Bench.Maker provisioner(DriverFacts driver, ControllerCalls calls, Bench bench) {
    return (api, events) ->
        Provisioner.of(driver, ProvisionerOptions.DEFAULT)
            .controller(bench.means(calls, api, events));
  }

  private Meta claimMeta() {
    return bench.get(Kinds.CLAIM, "data").meta();
  }

  private void assertHeld() {
    assertThat(claimMeta().finalizers()).contains(Finalizers.PROVISIONING);
    assertThat(claimMeta().annotations()).containsKey(Annotations.PROVISIONING_INTENT);
  }

  private void bind() {
    new Binder(bench.api()).work();
    bench.pass(Duration.ofSeconds(1));
  }

  private void assertLetGo() {
    assertThat(claimMeta().finalizers()).doesNotContain(Finalizers.PROVISIONING);
    assertThat(claimMeta().annotations()).doesNotContainKey(Annotations.PROVISIONING_INTENT);
  }

  private long creations() {
    return bench.driver().calls().stream().filter(call -> call.startsWith("CreateVolume")).count();
  }

  @Test
  void aVolumeThatCannotBeSavedIsNotForgotten() { // PROV-105
    var full = new boolean[] {true};
    bench.create(storageClass(), claim());
    bench.run(
        provisioner(PLAIN, bench.driver(), bench),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (full[0] && request.startsWith("create persistentvolumes"))
                  throw new ApiException(500, "InternalError", "disk full");
              }

              @Override
              public void after(String request) {}
            }));

    assertHeld();
    assertThat(bench.events()).last().asString().contains("vol-1 is created but cannot be saved");

    full[0] = false;
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(bench.driver().volumes()).hasSize(1);
    assertThat(creations()).isEqualTo(1);
    bind();
    assertLetGo();
  }

  /// The server takes no volume, the process is killed, and the driver refuses what it has made.
  @Test
  void norIsItAfterARestart() { // PROV-105, PROV-191
    bench.driver().answers(made -> made.toBuilder().setCapacityBytes(2L << 30).build());
    bench.create(storageClass(), claim());
    bench.run(provisioner(PLAIN, bench.driver(), bench), refusingVolumes());
    bench.kill();
    for (int i = 0; i < 9; i++) bench.driver().refuses(Code.INVALID_ARGUMENT, "no such tier");
    bench.delete(Resources.CLAIMS, "data");

    bench.run(provisioner(PLAIN, bench.driver(), bench));
    bench.pass(Duration.ofSeconds(1));
    assertHeld();
    bench.pass(Duration.ofMinutes(20));

    var saved = bench.get(Kinds.VOLUME, bench.volumeName());
    assertThat(saved.capacity().toLong()).isEqualTo(2L << 30);
    assertThat(bench.json(Resources.VOLUMES, bench.volumeName()).at("/spec/csi").toString())
        .contains("\"volumeHandle\":\"vol-1\"", "\"pool\":\"a\"");
  }

  /// What had to be deleted again does not count as made any longer.
  @Test
  void whatWasDeletedAgainIsNotSaved() { // PROV-106, PROV-191
    bench.create(storageClass(), claim());
    var name = bench.volumeName();
    var other = volume().named(name).with("other", "spec", "csi", "volumeHandle");
    bench.run(provisioner(PLAIN, bench.driver(), bench), refusingVolumes());
    bench.kill();
    assertThat(intent()).contains("made");
    var late = new boolean[1];
    bench.run(
        provisioner(PLAIN, bench.driver(), bench),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (late[0] || !request.startsWith("create persistentvolumes")) return;
                late[0] = true;
                bench.create(other);
              }

              @Override
              public void after(String request) {}
            }));

    assertThat(bench.driver().volumes()).isEmpty();
    assertThat(intent()).doesNotContain("made");
    bench.patch(Resources.VOLUMES, name, "{\"metadata\": {\"finalizers\": null}}");
    bench.delete(Resources.VOLUMES, name);
    bench.pass(Duration.ofMinutes(5));

    assertThat(bench.json(Resources.VOLUMES, name).at("/spec/csi/volumeHandle").asText())
        .isEqualTo("vol-2");
  }

  private String intent() {
    return claimMeta().annotation(Annotations.PROVISIONING_INTENT).orElse("");
  }

  private Api refusingVolumes() {
    return new WatchedApi(
        bench.api(),
        new WatchedApi.Guard() {
          @Override
          public void before(String request) {
            if (request.startsWith("create persistentvolumes"))
              throw new ApiException(403, "Forbidden", "not now");
          }

          @Override
          public void after(String request) {}
        });
  }

  @Test
  void aVolumeThatWasMadeIsNotForgottenWithARefusal() { // PROV-105, PROV-111
    var cut = new boolean[] {true};
    bench.create(storageClass(), claim());
    bench.run(
        provisioner(PLAIN, bench.driver(), bench),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                boolean note =
                    request.startsWith("patch persistentvolumeclaims") && !intent().isEmpty();
                if (cut[0] && (note || request.startsWith("create persistentvolumes")))
                  throw lost();
              }

              @Override
              public void after(String request) {}
            }));
    bench.driver().refuses(Code.INTERNAL, "cannot look");
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofSeconds(1));
    assertThat(creations()).isEqualTo(2);
    assertHeld();

    cut[0] = false;
    bench.pass(Duration.ofMinutes(1));

    assertThat(bench.all(Kinds.VOLUME)).hasSize(1);
    assertThat(bench.find(Kinds.CLAIM, "data").map(it -> it.meta().finalizers()))
        .isNotEqualTo(Optional.of(List.of(Finalizers.PROVISIONING)));
  }

  @Test
  void aClaimThatWasBoundMeanwhileIsNotBegun() { // PROV-115, PROV-191b
    bench.create(storageClass(), claim());
    bench.run(
        provisioner(PLAIN, bench.driver(), bench),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (request.equals("patch persistentvolumeclaims shop/data"))
                  bench
                      .api()
                      .patch(
                          Resources.CLAIMS,
                          claimMeta().key(),
                          dev.berth.kube.api.Patch.merge(
                              Tree.of("{\"spec\": {\"volumeName\": \"other\"}}").json()));
              }

              @Override
              public void after(String request) {}
            }));

    assertThat(creations()).isZero();
    assertLetGo();
  }

  /// The volume is saved and the answer lost, and no watch shows it.
  @Test
  void aVolumeThatWasSavedIsNotCreatedOnceMore() { // PROV-191b; seed 412 of SimulationTest
    bench.create(storageClass(), claim());
    bench.run(
        provisioner(PLAIN, bench.driver(), bench),
        blind(
            Resources.VOLUMES,
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {}

              @Override
              public void after(String request) {
                if (request.startsWith("create persistentvolumes")) throw lost();
              }
            }));
    bench.pass(Duration.ofSeconds(1));

    assertThat(creations()).isEqualTo(1);
    bind();
    assertLetGo();
  }

  /// The claim is let go and the answer lost, and no watch shows it; claim and volume are deleted.
  @Test
  void norIsOneThatWasSavedAndDeleted() { // PROV-191b
    bench.driver().losesAnswer();
    bench.create(storageClass(), claim());
    bench.run(
        provisioner(PLAIN, bench.driver(), bench),
        blind(
            Resources.CLAIMS,
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {}

              @Override
              public void after(String request) {}
            }));
    assertHeld();
    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"metadata\": {\"finalizers\": [], \"annotations\": {\"%s\": null}}}"
            .formatted(Annotations.PROVISIONING_INTENT));
    bench.delete(Resources.CLAIMS, "data");
    bench.pass(Duration.ofSeconds(1));

    assertThat(creations()).isEqualTo(1);
  }

  private static ApiException lost() {
    return new ApiException.Unreachable("the answer was lost", new IOException("reset"));
  }

  /// The server, whose watches of `resource` show nothing.
  private Api blind(Resource resource, WatchedApi.Guard guard) {
    return new WatchedApi(bench.api(), guard) {
      @Override
      public Watch watch(
          Resource watched, String namespace, Selector selector, String version, Watcher watcher) {
        return watched.equals(resource)
            ? () -> {}
            : super.watch(watched, namespace, selector, version, watcher);
      }
    };
  }
}
