package dev.berth.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is written for a claim from its creation until nothing of it is left, by whom: each line is
/// a write that was carried out, and docs/decisions/writes-of-a-claim.md says why it is made.
class WritesOfAClaimTest {
  private static final ObjectKey CLAIM = ObjectKey.of(Objects.NAMESPACE, "data");
  private static final ObjectKey POD = ObjectKey.of(Objects.NAMESPACE, "web");

  /// A claim of an immediate class, to Bound.
  private static final List<String> COME =
      List.of(
          "controllers: patch persistentvolumeclaims",
          "controllers: create ExternalProvisioning events",
          "sidecars: patch persistentvolumeclaims",
          "sidecars: create Provisioning events",
          "sidecars: create persistentvolumes",
          "sidecars: create ProvisioningSucceeded events",
          "controllers: patch status of persistentvolumes",
          "controllers: patch persistentvolumeclaims",
          "controllers: patch status of persistentvolumeclaims");

  /// And until its volume is gone.
  private static final List<String> GO =
      List.of(
          "controllers: patch persistentvolumeclaims",
          "controllers: patch status of persistentvolumes",
          "sidecars: delete persistentvolumes",
          "controllers: patch persistentvolumes",
          "sidecars: patch persistentvolumes");

  /// A claim that waits for its first consumer, and the pod, until it runs.
  private static final List<String> COME_WITH_POD =
      and(
          COME,
          "controllers: create WaitForFirstConsumer events",
          "controllers: create WaitForPodScheduled events",
          "controllers: patch persistentvolumeclaims",
          "controllers: binding of pods",
          "controllers: create Scheduled events",
          "controllers: create volumeattachments",
          "sidecars: patch persistentvolumes",
          "sidecars: patch volumeattachments",
          "sidecars: patch status of volumeattachments",
          "controllers: patch status of nodes",
          "controllers: create SuccessfulAttachVolume events",
          "node-a: patch status of nodes",
          "node-a: create VolumeStaged events",
          "node-a: create VolumePublished events",
          "node-a: patch status of pods",
          "node-a: patch status of pods",
          "node-a: create Started events");

  /// The pod is deleted and then the claim, until nothing is left.
  private static final List<String> GO_WITH_POD =
      and(
          GO,
          "node-a: create Killing events",
          "node-a: patch status of pods",
          "node-a: delete pods",
          "node-a: patch status of nodes",
          "controllers: patch volumeattachments",
          "controllers: delete volumeattachments",
          "controllers: patch status of nodes",
          "sidecars: patch volumeattachments",
          "sidecars: patch persistentvolumes");

  private static List<String> and(List<String> some, String... more) {
    return Stream.concat(some.stream(), Stream.of(more)).toList();
  }

  private final Cluster cluster = new Cluster(1);

  private List<String> written(Runnable what) {
    cluster.pass(Duration.ofMinutes(1));
    int before = cluster.writes().size();
    what.run();
    cluster.pass(Duration.ofMinutes(1));
    var all = cluster.writes();
    return List.copyOf(all.subList(before, all.size()));
  }

  private void create(String storageClass) {
    cluster.api().create(Resources.CLAIMS, Objects.claim("data", storageClass));
  }

  private void delete() {
    cluster.api().delete(Resources.CLAIMS, CLAIM, DeleteOptions.DEFAULT);
  }

  @Test
  void aClaimAloneComesAndGoes() {
    assertThat(written(() -> create("immediate"))).containsExactlyInAnyOrderElementsOf(COME);
    assertThat(written(this::delete)).containsExactlyInAnyOrderElementsOf(GO);
    assertThat(cluster.objects().all(Kinds.VOLUME)).isEmpty();
  }

  @Test
  void aClaimWithAPodComesAndGoes() {
    assertThat(
            written(() -> {
              create("late");
              cluster.pass(
                  Duration.ofMinutes(1)); // or whoever sees the pod first says what it lacks
              cluster.api().create(Resources.PODS, Objects.pod("web", "data", ""));
            }))
        .containsExactlyInAnyOrderElementsOf(COME_WITH_POD);
    assertThat(
            written(() -> {
              cluster.api().delete(Resources.PODS, POD, DeleteOptions.DEFAULT);
              cluster.pass(Duration.ofMinutes(1));
              delete();
            }))
        .containsExactlyInAnyOrderElementsOf(GO_WITH_POD);
    assertThat(cluster.objects().all(Kinds.VOLUME)).isEmpty();
  }

  /// Who binds does not take for granted that nobody has written to the claim, but only what he
  /// writes himself: the provisioner's note may reach him after the volume has (seed 3).
  @ParameterizedTest
  @MethodSource("orders")
  void nobodyIsInTheWayOfWhoBinds(long seed) {
    var alone = new Cluster(seed);
    alone.pass(Duration.ofMinutes(1));
    alone.api().create(Resources.CLAIMS, Objects.claim("data", "immediate"));
    alone.pass(Duration.ofMinutes(1));
    assertThat(alone.losses()).isEmpty();
  }

  /// Two take their finalizers off a volume that is being deleted, each his own.
  @ParameterizedTest
  @MethodSource("orders")
  void nobodyIsInTheWayOfWhoLetsGo(long seed) {
    var alone = new Cluster(seed);
    alone.pass(Duration.ofMinutes(1));
    alone.api().create(Resources.CLAIMS, Objects.claim("data", "immediate"));
    alone.pass(Duration.ofMinutes(1));
    int before = alone.losses().size();
    alone.api().delete(Resources.CLAIMS, CLAIM, DeleteOptions.DEFAULT);
    alone.pass(Duration.ofMinutes(1));
    assertThat(alone.losses()).hasSize(before);
    assertThat(alone.objects().all(Kinds.VOLUME)).isEmpty();
  }

  static LongStream orders() {
    return LongStream.rangeClosed(1, 40);
  }

  /// Three take their finalizers off a volume at the same time, and who is last loses twice: on the
  /// clock of the simulation, where nothing takes longer than it is said to.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void whoeverWritesBesideOthersIsNotHeldUpAsIfItHadFailed(long seed) {
    var crowded = new Cluster(seed);
    crowded.pass(Duration.ofMinutes(1));
    crowded.api().create(Resources.CLAIMS, Objects.claim("data", "late"));
    crowded.api().create(Resources.PODS, Objects.pod("web", "data", ""));
    crowded.pass(Duration.ofMinutes(1));
    crowded.api().delete(Resources.PODS, POD, DeleteOptions.DEFAULT);
    crowded.pass(Duration.ofMinutes(1));
    assertThat(crowded.objects().all(Kinds.VOLUME)).hasSize(1);
    crowded.api().delete(Resources.CLAIMS, CLAIM, DeleteOptions.DEFAULT);
    crowded.pass(Duration.ofMillis(450)); // no failure pauses less than 500
    assertThat(crowded.objects().all(Kinds.VOLUME)).isEmpty();
  }
}
