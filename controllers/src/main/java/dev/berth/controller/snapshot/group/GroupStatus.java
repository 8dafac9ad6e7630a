package dev.berth.controller.snapshot.group;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.snapshot.group.GroupEffect.CopyStatus;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.snapshot.GroupContent;
import dev.berth.kube.snapshot.GroupSnapshot;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Optional;

/// What a group's status has to say of its content: what is known stays as it was told first;
/// readiness and error follow (SNAP-31 for groups).
final class GroupStatus {
  private static final Duration USUAL = Duration.ofMinutes(5);

  private GroupStatus() {}

  /// @return empty: the status says it all
  static Optional<Step> step(GroupSnapshot group, GroupContent content) {
    var status = JsonNodeFactory.instance.objectNode();
    var news = new ArrayList<Notice>();
    var told = group.shown();
    var known = content.shown();
    if (group.boundContent().isEmpty())
      status.put("boundVolumeGroupSnapshotContentName", content.meta().name());
    if (told.creationTime().isEmpty() && known.creationTime().isPresent()) {
      status.put(
          "creationTime", known.creationTime().get().truncatedTo(ChronoUnit.SECONDS).toString());
      news.add(
          Notice.normal(
              group.ref(),
              GroupEvents.CREATED,
              "GroupSnapshot %s was successfully created by the CSI driver."
                  .formatted(group.meta().key())));
    }
    if (!told.readyToUse().equals(Optional.of(content.isReady()))) {
      status.put("readyToUse", content.isReady());
      if (content.isReady())
        news.add(
            Notice.normal(
                group.ref(),
                GroupEvents.READY,
                "GroupSnapshot %s is ready to use.".formatted(group.meta().key())));
    }
    error(group, content, status);
    return status.isEmpty()
        ? Optional.empty()
        : Optional.of(new Act(new CopyStatus(Revision.of(group.meta()), status, news)));
  }

  private static void error(GroupSnapshot group, GroupContent content, ObjectNode status) {
    var known = content.shown().error();
    if (group.shown().error().equals(known)) return;
    if (known.isEmpty()) status.putNull("error");
    else known.get().into(status.putObject("error"));
  }

  static Step untilReady(GroupSnapshot group, GroupContent content) {
    if (content.isReady()) return new Settled();
    return Wait.on(content.ref(), "status.readyToUse")
        .since(group.meta().created())
        .until(
            content.handle().isPresent()
                ? "the driver says that the group is ready"
                : "driver %s has taken the group".formatted(content.driver()))
        .ifLate(USUAL, "berth explain volumegroupsnapshotcontent/" + content.meta().name());
  }
}
