package dev.berth.driver.serve;

import static dev.berth.driver.testing.Served.assertRefused;
import static dev.berth.driver.testing.Served.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.CreateVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeGroupSnapshotRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.testing.Served;
import dev.berth.driver.testing.ToyDriver;
import io.grpc.Status.Code;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A second operation on the same object (CON-01 to CON-04, CON-09).
class InFlightTest {
  private final ToyDriver driver = new ToyDriver();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);
  private final AtomicInteger made = new AtomicInteger();
  private Served served;

  @BeforeEach
  void serve() throws IOException {
    served = Served.of(driver);
  }

  @AfterEach
  void end() throws IOException {
    mayGoOn.countDown();
    served.close();
  }

  /// Lets the first call of `operation` begin, and holds it up there.
  private void holdUp(String operation) {
    driver.hook =
        asked -> {
          if (!asked.equals(operation)) return;
          made.incrementAndGet();
          begun.countDown();
          try {
            mayGoOn.await();
          } catch (InterruptedException e) {
            throw new IOException("the SDK interrupted a change (CON-04)", e);
          }
        };
  }

  @Test
  void theSecondIsRefusedAtOnceAndToldWhoIsAtWork() throws Exception { // CON-02
    holdUp("create");
    var first =
        CompletableFuture.supplyAsync(
            () -> served.create(wanted("one")), Thread::startVirtualThread);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    assertRefused(
        Code.ABORTED,
        "volume name one is held by CreateVolume",
        () -> served.create(wanted("one")));

    mayGoOn.countDown();
    var id = first.get(30, TimeUnit.SECONDS);
    assertThat(served.create(wanted("one"))).isEqualTo(id);
    assertThat(made).hasValue(1);
  }

  @Test
  void othersAndQuestionsDoNotWait() throws Exception { // CON-03
    var other = served.create(wanted("other"));
    holdUp("create");
    var first =
        CompletableFuture.supplyAsync(
            () -> served.create(wanted("one")), Thread::startVirtualThread);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(served.create(wanted("other"))).isEqualTo(other);
    assertThat(
            served
                .controller()
                .listVolumes(ListVolumesRequest.getDefaultInstance())
                .getEntriesCount())
        .isEqualTo(1);
    delete(other);
    assertThat(first).isNotDone();
  }

  @Test
  void aDeadlineEndsTheWaitAndNotTheWork() throws Exception { // CON-04
    served.create(wanted("warm"));
    holdUp("create");
    var hasty = served.connection.controller(Duration.ofSeconds(1));
    assertThatThrownBy(() -> hasty.createVolume(wanted("one").build()))
        .isInstanceOfSatisfying(
            CsiException.class, e -> assertThat(e.code()).isEqualTo(Code.DEADLINE_EXCEEDED));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    assertRefused(Code.ABORTED, "CreateVolume", () -> served.create(wanted("one")));

    mayGoOn.countDown();
    await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(() -> !served.create(wanted("one")).isEmpty());
    assertThat(made).hasValue(1);
  }

  @Test
  void aSourceStaysWhileItIsCloned() throws Exception { // CSR-04
    var source = served.create(wanted("source"));
    holdUp("clone");
    var wish = wanted("clone");
    wish.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(source);
    var clone =
        CompletableFuture.supplyAsync(() -> served.create(wish), Thread::startVirtualThread);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    assertRefused(
        Code.ABORTED, "volume " + source + " is held by CreateVolume", () -> delete(source));
    mayGoOn.countDown();
    clone.get(30, TimeUnit.SECONDS);
    assertThatCode(() -> delete(source)).doesNotThrowAnyException();
  }

  @Test
  void aGroupStaysWhileAMemberIsRestored() throws Exception { // GRP-06
    var source = served.create(wanted("source"));
    var group =
        served
            .groups()
            .createVolumeGroupSnapshot(
                CreateVolumeGroupSnapshotRequest.newBuilder()
                    .setName("group")
                    .addSourceVolumeIds(source)
                    .build())
            .getGroupSnapshot();
    var removal =
        DeleteVolumeGroupSnapshotRequest.newBuilder()
            .setGroupSnapshotId(group.getGroupSnapshotId())
            .build();
    holdUp("restore");
    var wish = wanted("restored");
    wish.getVolumeContentSourceBuilder()
        .getSnapshotBuilder()
        .setSnapshotId(group.getSnapshots(0).getSnapshotId());
    var restored =
        CompletableFuture.supplyAsync(() -> served.create(wish), Thread::startVirtualThread);
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    assertRefused(
        Code.FAILED_PRECONDITION,
        "is held by CreateVolume",
        () -> served.groups().deleteVolumeGroupSnapshot(removal));
    mayGoOn.countDown();
    restored.get(30, TimeUnit.SECONDS);
    served.groups().deleteVolumeGroupSnapshot(removal);
  }

  @Test
  void theMembersOfAGroupAreRestoredSingly() { // GRP-08
    var group =
        served
            .groups()
            .createVolumeGroupSnapshot(
                CreateVolumeGroupSnapshotRequest.newBuilder()
                    .setName("group")
                    .addSourceVolumeIds(served.create(wanted("one")))
                    .addSourceVolumeIds(served.create(wanted("two")))
                    .build())
            .getGroupSnapshot();
    for (var member : group.getSnapshotsList()) {
      var wish = wanted("from-" + member.getSnapshotId());
      wish.getVolumeContentSourceBuilder()
          .getSnapshotBuilder()
          .setSnapshotId(member.getSnapshotId());
      assertThat(served.create(wish)).isNotEmpty();
    }
  }

  @Test
  void aFailureLetsGo() throws Exception {
    driver.hook =
        asked -> {
          if (asked.equals("create")) throw new IOException("the cable is out");
        };
    assertRefused(
        Code.UNAVAILABLE, "the cable is out; it may have", () -> served.create(wanted("one")));
    driver.hook = _ -> {};
    assertThatCode(() -> served.create(wanted("one"))).doesNotThrowAnyException();
  }

  private void delete(String id) {
    served.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  @Test
  void sharersKeepOthersOutUntilTheLastHasGone() {
    var inFlight = new InFlight(InstantSource.fixed(Instant.EPOCH));
    var first = inFlight.share("CreateSnapshot", Kind.VOLUME, "v");
    var second = inFlight.share("CreateVolume", Kind.VOLUME, "v");
    first.close();
    assertThatThrownBy(() -> inFlight.hold("DeleteVolume", Kind.VOLUME, "v"))
        .isInstanceOf(Refusal.class)
        .hasMessage("volume v is held by CreateSnapshot for 0 s; ask again when it has finished");
    second.close();
    try (var _ = inFlight.hold("DeleteVolume", Kind.VOLUME, "v")) {
      assertThatThrownBy(() -> inFlight.share("CreateVolume", Kind.VOLUME, "v"))
          .isInstanceOf(Refusal.class);
      assertThatCode(() -> inFlight.hold("CreateVolume", Kind.VOLUME_NAME, "v"))
          .doesNotThrowAnyException();
    }
    assertThat(inFlight.size()).isEqualTo(1);
  }
}
