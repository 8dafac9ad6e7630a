package dev.berth.sidecar.reclaimer;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import dev.berth.sidecar.write.LifeMetrics;
import io.grpc.Status.Code;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of volumes whose claims have gone, on the real API and the real loop.
class ReclaimerTest {
  private static final WatchedApi.Guard NOTHING =
      new WatchedApi.Guard() {
        @Override
        public void before(String request) {}

        @Override
        public void after(String request) {}
      };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final LifeMetrics metrics = new LifeMetrics(registry);
  private static final String RETAIN =
      "{\"spec\": {\"persistentVolumeReclaimPolicy\": \"Retain\"}}";

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void run() {
    bench.run((api, events) ->
        Reclaimer.of(PLAIN, Duration.ofSeconds(10), metrics).controller(bench.means(api, events)));
  }

  private static Tree released() {
    return volume().with("Released", "status", "phase");
  }

  private void letProtectionGo() {
    bench.patch(Resources.VOLUMES, VOLUME, "{\"metadata\": {\"finalizers\": null}}");
  }

  @Test
  void theStorageGoesBeforeTheObject() { // FIN-01
    var order = new ArrayList<String>();
    bench.create(released().finalizers(Finalizers.PROVISIONER));
    bench.run(
        (api, events) ->
            Reclaimer.of(PLAIN, Duration.ofSeconds(10), metrics)
                .controller(bench.means(api, events)),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                order.addAll(bench.driver().calls());
                order.add(request.substring(0, request.indexOf(' ')));
              }

              @Override
              public void after(String request) {}
            }));

    assertThat(order)
        .containsExactly("get", "DeleteVolume vol-1", "delete", "DeleteVolume vol-1", "patch");
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers())
        .containsExactly(Finalizers.PV_PROTECTION);
    letProtectionGo();
    assertThat(bench.all(Kinds.VOLUME)).isEmpty();
    assertThat(bench.driver().calls()).hasSize(1);
    assertThat(deletions()).containsExactly(1.0);
  }

  @Test
  void aRefusedDeletionIsToldAndTriedAgain() { // PROV-132
    bench.driver().refuses(Code.NOT_FOUND, "no such volume");
    bench.create(released());
    run();

    assertThat(bench.events())
        .containsExactly("VolumeFailedDelete: rpc error: code = NotFound desc = no such volume");
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().deleting()).isFalse();

    bench.pass(Duration.ofSeconds(1));
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().deleting()).isTrue();
  }

  @Test
  void aDriverThatAttachesNothingNeedsNoRightToSeeAttachments() { // PROV-189
    bench.create(released());
    bench.run(
        (api, events) ->
            Reclaimer.of(driver(CREATE_DELETE_VOLUME), Duration.ofSeconds(10), metrics)
                .controller(bench.means(api, events)),
        new WatchedApi(bench.api(), NOTHING) {
          @Override
          public Listing list(Resource resource, String namespace, Selector selector) {
            if (resource.equals(Resources.ATTACHMENTS))
              throw new ApiException(403, "Forbidden", "may not list volumeattachments");
            return super.list(resource, namespace, selector);
          }
        });

    assertThat(bench.driver().calls()).containsExactly("DeleteVolume vol-1");
  }

  @Test
  void anAttachedVolumeGoesAsSoonAsItIsDetached() { // PROV-133
    bench.create(released(), attachment());
    run();
    bench.pass(Duration.ofMinutes(10));
    assertThat(bench.driver().calls()).isEmpty();

    bench.delete(Resources.ATTACHMENTS, "va-1");

    assertThat(bench.driver().calls()).containsExactly("DeleteVolume vol-1");
    assertThat(bench.events()).isEmpty();
  }

  @Test
  void aPolicyThatIsChangedAtTheLastMomentCounts() { // RECL-05
    bench.create(released());
    bench.run(
        (api, events) ->
            Reclaimer.of(PLAIN, Duration.ofSeconds(10), metrics)
                .controller(bench.means(api, events)),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (request.startsWith("get persistentvolumes"))
                  bench
                      .api()
                      .patch(
                          Resources.VOLUMES,
                          ObjectKey.cluster(VOLUME),
                          Patch.merge(Tree.of(RETAIN).json()));
              }

              @Override
              public void after(String request) {}
            }));

    assertThat(bench.driver().calls()).isEmpty();
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers())
        .doesNotContain(Finalizers.PROVISIONER);
    assertThat(deletions()).isEmpty();
  }

  /// PROV-186.
  private List<Double> deletions() {
    return registry.scrape().stream()
        .filter(it -> it.getMetadata().getName().equals("controller_persistentvolume_delete"))
        .flatMap(it -> ((CounterSnapshot) it).getDataPoints().stream())
        .map(point -> point.getValue())
        .toList();
  }

  @Test
  void theHoldFollowsThePolicy() { // PROV-140
    bench.create(volume().finalizers());
    run();
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers())
        .contains(Finalizers.PROVISIONER, Finalizers.PV_PROTECTION);

    bench.patch(Resources.VOLUMES, VOLUME, RETAIN);
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers())
        .isEqualTo(List.of(Finalizers.PV_PROTECTION));

    bench.patch(
        Resources.VOLUMES, VOLUME, "{\"spec\": {\"persistentVolumeReclaimPolicy\": \"Delete\"}}");
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers())
        .contains(Finalizers.PROVISIONER);
  }

  /// One finalizer goes, not the list as it was seen: whoever has put his on meanwhile keeps it.
  @Test
  void ofTheFinalizersOnlyOursIsTakenOff() { // PROV-142
    var late = new boolean[1];
    bench.create(volume());
    bench.run(
        (api, events) ->
            Reclaimer.of(PLAIN, Duration.ofSeconds(10), metrics)
                .controller(bench.means(api, events)),
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                if (late[0] || !request.startsWith("patch persistentvolumes")) return;
                late[0] = true;
                var seen = bench.get(Kinds.VOLUME, VOLUME).meta();
                bench
                    .api()
                    .patch(
                        Resources.VOLUMES,
                        seen.key(),
                        new JsonPatch().addFinalizer(seen, "example.com/late").patch());
              }

              @Override
              public void after(String request) {}
            }));
    bench.patch(Resources.VOLUMES, VOLUME, RETAIN);
    bench.pass(Duration.ofMinutes(1));

    assertThat(late[0]).isTrue();
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers())
        .containsExactlyInAnyOrder(Finalizers.PV_PROTECTION, "example.com/late");
  }

  @Test
  void aVolumeMadeByHandIsToldOfOnceBeforeItIsTooLate() { // RECL-06
    bench.create(volume().without("metadata", "annotations", Annotations.PROVISIONED_BY));
    run();
    bench.pass(Duration.ofHours(1));

    assertThat(bench.events())
        .singleElement()
        .asString()
        .startsWith("DataGoesWithClaim: it was made by hand with policy Delete");
  }

  @Test
  void aMissingSecretDoesNotStopTheDeletion() { // PROV-134
    bench.create(
        released()
            .annotated("volume.kubernetes.io/provisioner-deletion-secret-name", "keys")
            .annotated("volume.kubernetes.io/provisioner-deletion-secret-namespace", "shop"));
    run();

    assertThat(bench.driver().calls()).containsExactly("DeleteVolume vol-1");
  }
}
