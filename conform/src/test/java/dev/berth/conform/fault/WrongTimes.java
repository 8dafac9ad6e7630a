package dev.berth.conform.fault;

import static dev.berth.conform.fault.Fault.idle;
import static dev.berth.conform.fault.Fault.in;
import static dev.berth.conform.fault.Fault.lenient;
import static dev.berth.conform.fault.Fault.once;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_STAGE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_UNPUBLISH_VOLUME;

import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import io.grpc.Status.Code;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Drivers that are wrong when calls come at once, or again.
final class WrongTimes {
  static List<Row> rows() {
    return List.of(
        new Row("concurrent.create", "every call makes a volume", forgettingVolumeNames()),
        new Row("concurrent.different", "the whole driver is one lock", oneAtATime()),
        new Row(
            "concurrent.delete",
            "the second call finds nothing",
            once(DELETE_VOLUME, Code.NOT_FOUND)),
        new Row("concurrent.snapshot", "every call cuts a snapshot", forgettingSnapshotNames()),
        new Row(
            "concurrent.publish",
            "the second call finds it published",
            once(CONTROLLER_PUBLISH_VOLUME, Code.ALREADY_EXISTS)),
        new Row(
            "concurrent.two-nodes",
            "each node decides for itself",
            lenient(CONTROLLER_PUBLISH_VOLUME)),
        new Row(
            "concurrent.stage",
            "the second call finds it staged",
            once(NODE_STAGE_VOLUME, Code.INTERNAL)),
        new Row(
            "concurrent.node-publish",
            "the second call finds it published",
            once(NODE_PUBLISH_VOLUME, Code.INTERNAL)),
        new Row(
            "concurrent.node-unpublish",
            "the second call finds nothing",
            once(NODE_UNPUBLISH_VOLUME, Code.INTERNAL)),
        new Row("interrupted.create", "every call makes a volume", forgettingVolumeNames()),
        new Row("interrupted.delete", "nothing is ever deleted", idle(DELETE_VOLUME)),
        new Row("interrupted.snapshot", "every call cuts a snapshot", forgettingSnapshotNames()),
        new Row("interrupted.stage", "what was given up counts as done", idle(NODE_STAGE_VOLUME)),
        new Row(
            "interrupted.node-publish",
            "what was given up counts as done",
            idle(NODE_PUBLISH_VOLUME)),
        new Row(
            "interrupted.node-unpublish",
            "what was given up counts as done",
            idle(NODE_UNPUBLISH_VOLUME)));
  }

  private static Fault forgettingVolumeNames() {
    var count = new AtomicInteger();
    return Fault.asking(
        CREATE_VOLUME,
        CreateVolumeRequest.Builder.class,
        it -> it.setName(it.getName() + count.incrementAndGet()));
  }

  private static Fault forgettingSnapshotNames() {
    var count = new AtomicInteger();
    return Fault.asking(
        CREATE_SNAPSHOT,
        CreateSnapshotRequest.Builder.class,
        it -> it.setName(it.getName() + count.incrementAndGet()));
  }

  private static Fault oneAtATime() {
    var atWork = new AtomicInteger();
    return in(
        CREATE_VOLUME,
        call -> {
          try {
            if (atWork.incrementAndGet() > 1)
              throw Fault.refusal(Code.ABORTED, "the driver is busy");
            return call.pass();
          } finally {
            atWork.decrementAndGet();
          }
        });
  }

  private WrongTimes() {}
}
