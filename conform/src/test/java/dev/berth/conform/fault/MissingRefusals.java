package dev.berth.conform.fault;

import static dev.berth.conform.trial.Rpcs.CONTROLLER_EXPAND_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_GET_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_MODIFY_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_ALLOCATED;
import static dev.berth.conform.trial.Rpcs.GET_METADATA_DELTA;
import static dev.berth.conform.trial.Rpcs.GET_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.GET_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.conform.trial.Rpcs.LIST_SNAPSHOTS;
import static dev.berth.conform.trial.Rpcs.LIST_VOLUMES;
import static dev.berth.conform.trial.Rpcs.NODE_EXPAND_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_GET_VOLUME_STATS;
import static dev.berth.conform.trial.Rpcs.NODE_PUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_STAGE_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_UNPUBLISH_VOLUME;
import static dev.berth.conform.trial.Rpcs.NODE_UNSTAGE_VOLUME;
import static dev.berth.conform.trial.Rpcs.VALIDATE_VOLUME_CAPABILITIES;

import io.grpc.MethodDescriptor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Drivers that answer OK where they should refuse, call by call.
final class MissingRefusals {
  static List<Row> rows() {
    return Stream.of(
            lenient(
                CONTROLLER_EXPAND_VOLUME,
                "expand.no-id",
                "expand.no-range",
                "expand.negative",
                "expand.unknown",
                "expand.shrink",
                "expand.too-large",
                "error.expand-order"),
            lenient(
                CREATE_VOLUME_GROUP_SNAPSHOT,
                "group.no-name",
                "group.no-sources",
                "group.other-sources",
                "group.unknown-source"),
            lenient(
                GET_VOLUME_GROUP_SNAPSHOT,
                "group.get-no-id",
                "group.get-unknown",
                "group.get-mismatch"),
            lenient(DELETE_VOLUME_GROUP_SNAPSHOT, "group.delete-no-id", "group.delete-mismatch"),
            lenient(
                CREATE_VOLUME,
                "limit.name-too-long",
                "limit.control-characters",
                "limit.map-too-large",
                "modify.create-unknown-key",
                "source.no-snapshot",
                "source.no-volume",
                "source.other",
                "topology.unreachable",
                "topology.empty",
                "volume.no-name",
                "volume.no-capabilities",
                "volume.no-access-type",
                "volume.no-access-mode",
                "volume.negative-size",
                "limit.unknown-mode",
                "volume.contradictory-size",
                "volume.too-large",
                "volume.again-larger",
                "volume.again-otherwise",
                "volume.again-parameters",
                "source.smaller"),
            lenient(
                CONTROLLER_MODIFY_VOLUME,
                "modify.no-id",
                "modify.unknown",
                "modify.unknown-key",
                "modify.unknown-key-later"),
            lenient(
                NODE_EXPAND_VOLUME,
                "node-expand.no-volume",
                "node-expand.no-path",
                "node-expand.unknown"),
            lenient(
                NODE_PUBLISH_VOLUME,
                "node-publish.no-volume",
                "node-publish.no-target",
                "node-publish.no-capability",
                "node-publish.unknown",
                "node-publish.no-staging",
                "node-publish.readonly-changed",
                "node-publish.second-target",
                "node-publish.single-writer"),
            lenient(NODE_UNPUBLISH_VOLUME, "node-unpublish.no-volume", "node-unpublish.no-target"),
            lenient(
                CONTROLLER_PUBLISH_VOLUME,
                "publish.no-volume",
                "publish.no-node",
                "publish.no-capability",
                "publish.unknown-volume",
                "publish.unknown-node",
                "publish.readonly-changed",
                "publish.otherwise",
                "publish.second-node",
                "publish.limit",
                "error.publish-order"),
            lenient(DELETE_VOLUME, "publish.delete", "volume.delete-no-id"),
            lenient(CONTROLLER_UNPUBLISH_VOLUME, "unpublish.no-volume"),
            lenient(LIST_SNAPSHOTS, "snapshot-list.wrong-token", "snapshot-list.negative"),
            lenient(
                CREATE_SNAPSHOT,
                "snapshot.no-name",
                "snapshot.no-source",
                "snapshot.unknown-source",
                "snapshot.other-source",
                "error.snapshot-order"),
            lenient(DELETE_SNAPSHOT, "snapshot.delete-no-id"),
            lenient(GET_SNAPSHOT, "snapshot.get-no-id", "snapshot.get-unknown"),
            lenient(
                NODE_STAGE_VOLUME,
                "stage.no-volume",
                "stage.no-path",
                "stage.no-capability",
                "stage.unknown",
                "stage.unsupported",
                "stage.otherwise",
                "error.stage-order"),
            lenient(NODE_UNSTAGE_VOLUME, "unstage.no-volume", "unstage.no-path"),
            lenient(
                NODE_GET_VOLUME_STATS,
                "stats.no-volume",
                "stats.no-path",
                "stats.unknown",
                "stats.wrong-path"),
            lenient(
                VALIDATE_VOLUME_CAPABILITIES,
                "validation.no-id",
                "validation.no-capabilities",
                "validation.unknown"),
            lenient(
                LIST_VOLUMES,
                "volume-list.wrong-token",
                "volume-list.number-token",
                "volume-list.negative"),
            lenient(CONTROLLER_GET_VOLUME, "volume-get.no-id", "volume-get.unknown"),
            lenient(
                GET_METADATA_ALLOCATED,
                "metadata.no-id",
                "metadata.unknown",
                "metadata.offset",
                "metadata.mount"),
            lenient(
                GET_METADATA_DELTA,
                "metadata.delta-no-id",
                "metadata.delta-unknown",
                "metadata.delta-mount",
                "metadata.delta-others",
                "metadata.delta-reversed",
                "metadata.delta-offset"))
        .flatMap(List::stream)
        .toList();
  }

  private static List<Row> lenient(MethodDescriptor<?, ?> rpc, String... checks) {
    return Arrays.stream(checks)
        .map(check ->
            new Row(check, rpc.getBareMethodName() + " refuses nothing", Fault.lenient(rpc)))
        .toList();
  }

  private MissingRefusals() {}
}
