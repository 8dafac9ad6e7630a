package dev.berth.controller.snapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.snapshot.SnapshotEffect.CopyStatus;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.VolumeSnapshot;
import dev.berth.kube.value.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a snapshot's status has to say of its content (SNAP-31): what is known stays as it was told
/// first; readiness and error follow. Values are compared, so that nothing is written twice
/// (SNAP-A5).
final class StatusCopy {
  private static final Duration USUAL = Duration.ofMinutes(5);

  private StatusCopy() {}

  /// @return empty: the status says it all
  static Optional<Step> step(View view, VolumeSnapshot snapshot, SnapshotContent content) {
    var handle = content.shown().groupHandle();
    var group = handle.flatMap(view::groupContent).map(GroupContent::snapshot);
    if (handle.isPresent() && group.isEmpty())
      return Optional.of(untilGroupIsKnown(view, snapshot, content));
    var status = JsonNodeFactory.instance.objectNode();
    boolean created = first(snapshot, content, status);
    boolean ready = readiness(snapshot, content, status);
    error(snapshot, content, status);
    if (snapshot.shown().groupSnapshotName().isEmpty())
      group.ifPresent(it -> status.put("volumeGroupSnapshotName", it.key().name()));
    return status.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Act(
                new CopyStatus(
                    Revision.of(snapshot.meta()), status, news(snapshot, created, ready))));
  }

  /// @return whether it is told only now that the snapshot has been taken
  private static boolean first(
      VolumeSnapshot snapshot, SnapshotContent content, ObjectNode status) {
    var told = snapshot.shown();
    var known = content.shown();
    if (snapshot.boundContent().isEmpty())
      status.put("boundVolumeSnapshotContentName", content.meta().name());
    boolean sizeless = told.restoreSize().filter(Quantity::isPositive).isEmpty();
    if (sizeless && known.restoreSize().isPresent()) {
      long size = known.restoreSize().getAsLong();
      if (told.restoreSize().isEmpty() || size > 0)
        status.put("restoreSize", Quantity.ofBytes(size).toString());
    }
    boolean created = told.creationTime().isEmpty() && known.creationTime().isPresent();
    if (created) status.put("creationTime", time(known.creationTime().getAsLong()));
    return created;
  }

  private static String time(long nanos) {
    return Instant.EPOCH.plusNanos(nanos).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /// @return whether it is ready only now
  private static boolean readiness(
      VolumeSnapshot snapshot, SnapshotContent content, ObjectNode status) {
    var told = snapshot.shown().readyToUse();
    if (told.equals(Optional.of(content.isReady()))) return false;
    status.put("readyToUse", content.isReady());
    return content.isReady();
  }

  /// A message that cannot be told is none (SNAP-A6).
  private static void error(VolumeSnapshot snapshot, SnapshotContent content, ObjectNode status) {
    var told = snapshot.shown().error();
    var known = content.shown().error();
    if (told.equals(known)) return;
    if (known.isEmpty()) status.putNull("error");
    else known.get().into(status.putObject("error"));
  }

  /// SNAP-32.
  private static List<Notice> news(VolumeSnapshot snapshot, boolean created, boolean ready) {
    var news = new ArrayList<Notice>();
    var key = snapshot.meta().key();
    if (created)
      news.add(
          Notice.normal(
              snapshot.ref(),
              SnapshotEvents.CREATED,
              "Snapshot %s was successfully created by the CSI driver.".formatted(key)));
    if (ready)
      news.add(
          Notice.normal(
              snapshot.ref(), SnapshotEvents.READY, "Snapshot %s is ready to use.".formatted(key)));
    return news;
  }

  private static Step untilGroupIsKnown(
      View view, VolumeSnapshot snapshot, SnapshotContent content) {
    return Complaint.of(
            SnapshotEvents.STATUS_FAILED,
            "Snapshot status update failed, updateSnapshotStatus: cannot find the group snapshot for VolumeSnapshot [%s], will not update snapshot status"
                .formatted(snapshot.meta().key()),
            Wait.on(content.ref(), "status.volumeGroupSnapshotHandle")
                .since(snapshot.meta().created())
                .until("there is a VolumeGroupSnapshotContent with that handle")
                .remedy("create the VolumeGroupSnapshotContent of the group"))
        .harmless()
        .about(snapshot, view.now());
  }

  static Step untilReady(VolumeSnapshot snapshot, SnapshotContent content) {
    if (content.isReady()) return new Settled();
    return Wait.on(content.ref(), "status.readyToUse")
        .since(snapshot.meta().created())
        .until(
            content.handle().isPresent()
                ? "the driver says that the snapshot is ready"
                : "driver %s has taken the snapshot".formatted(content.driver()))
        .ifLate(USUAL, "berth explain volumesnapshotcontent/" + content.meta().name());
  }
}
