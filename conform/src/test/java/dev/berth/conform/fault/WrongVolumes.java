package dev.berth.conform.fault;

import static dev.berth.conform.fault.Fault.answering;
import static dev.berth.conform.fault.Fault.asking;
import static dev.berth.conform.fault.Fault.idle;
import static dev.berth.conform.fault.Fault.once;
import static dev.berth.conform.fault.Fault.refusing;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_EXPAND_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_GET_VOLUME;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_MODIFY_VOLUME;
import static dev.berth.conform.trial.Rpcs.CREATE_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static dev.berth.conform.trial.Rpcs.LIST_VOLUMES;
import static dev.berth.conform.trial.Rpcs.VALIDATE_VOLUME_CAPABILITIES;

import dev.berth.conform.trial.Requests;
import dev.berth.csi.v1.ControllerExpandVolumeResponse;
import dev.berth.csi.v1.ControllerGetVolumeResponse;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.CreateVolumeResponse;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.grpc.Status.Code;
import java.util.List;

/// Drivers that are wrong about volumes that nobody uses.
final class WrongVolumes {
  static List<Row> rows() {
    return List.of(
        new Row("volume.created", "a volume is smaller than asked for", capacity(1)),
        new Row("volume.limit-kept", "a volume is larger than its limit", capacity(1L << 40)),
        new Row(
            "volume.distinct",
            "all volumes have one id",
            answering(
                CREATE_VOLUME,
                CreateVolumeResponse.Builder.class,
                it -> it.getVolumeBuilder().setVolumeId("the-volume"))),
        new Row(
            "volume.again",
            "the context is that of the moment",
            answering(
                CREATE_VOLUME,
                CreateVolumeResponse.Builder.class,
                (it, number) -> it.getVolumeBuilder().putVolumeContext("made", "" + number))),
        new Row(
            "volume.again-within",
            "another range is another volume",
            once(CREATE_VOLUME, Code.ALREADY_EXISTS, it -> ((CreateVolumeRequest) it).getName())),
        new Row(
            "volume.delete-unknown",
            "an unknown volume is NOT_FOUND",
            refusing(
                DELETE_VOLUME,
                Code.NOT_FOUND,
                DeleteVolumeRequest.class,
                it -> it.getVolumeId().equals(Requests.UNKNOWN_ID))),
        new Row(
            "volume.delete-again",
            "a deleted volume is NOT_FOUND",
            once(DELETE_VOLUME, Code.NOT_FOUND)),
        new Row("volume.name-free", "nothing is ever deleted", idle(DELETE_VOLUME)),
        new Row(
            "validation.confirmed",
            "nothing is ever confirmed",
            idle(VALIDATE_VOLUME_CAPABILITIES)),
        new Row(
            "validation.unsupported",
            "everything is confirmed",
            answering(
                VALIDATE_VOLUME_CAPABILITIES,
                ValidateVolumeCapabilitiesResponse.Builder.class,
                it -> it.getConfirmedBuilder().addVolumeCapabilitiesBuilder())),
        new Row(
            "volume-list.ids",
            "a volume stands in the list twice",
            answering(
                LIST_VOLUMES,
                ListVolumesResponse.Builder.class,
                it -> it.addAllEntries(it.getEntriesList()))),
        new Row("volume-list.there", "the list is always empty", idle(LIST_VOLUMES)),
        new Row(
            "volume-list.same",
            "the list leaves the capacity out",
            answering(
                LIST_VOLUMES,
                ListVolumesResponse.Builder.class,
                it ->
                    it.getEntriesBuilderList()
                        .forEach(entry -> entry.getVolumeBuilder().clearCapacityBytes()))),
        new Row(
            "volume-list.pages",
            "max_entries is ignored",
            asking(LIST_VOLUMES, ListVolumesRequest.Builder.class, it -> it.clearMaxEntries())),
        new Row("volume-list.pages-change", "a token is a number of entries", countingTokens()),
        new Row(
            "volume-list.published",
            "published_node_ids holds an empty id",
            answering(
                LIST_VOLUMES,
                ListVolumesResponse.Builder.class,
                it ->
                    it.getEntriesBuilderList()
                        .forEach(entry -> entry.getStatusBuilder().addPublishedNodeIds("")))),
        new Row(
            "volume-list.condition",
            "a healthy volume has no message",
            answering(
                LIST_VOLUMES,
                ListVolumesResponse.Builder.class,
                it ->
                    it.getEntriesBuilderList()
                        .forEach(entry ->
                            entry.getStatusBuilder().getVolumeConditionBuilder().clearMessage()))),
        new Row(
            "volume-get.same",
            "getting a volume leaves its topology out",
            answering(
                CONTROLLER_GET_VOLUME,
                ControllerGetVolumeResponse.Builder.class,
                it -> it.getVolumeBuilder().clearAccessibleTopology())),
        new Row(
            "volume-get.condition",
            "getting a volume does not tell its condition",
            answering(
                CONTROLLER_GET_VOLUME,
                ControllerGetVolumeResponse.Builder.class,
                it -> it.getStatusBuilder().clearVolumeCondition())),
        new Row(
            "modify.create",
            "a volume with mutable parameters cannot be made twice",
            once(CREATE_VOLUME, Code.ALREADY_EXISTS)),
        new Row(
            "modify.changed",
            "a modification is done only once",
            once(CONTROLLER_MODIFY_VOLUME, Code.ABORTED)),
        new Row(
            "modify.changed-later",
            "a modification is done only once",
            once(CONTROLLER_MODIFY_VOLUME, Code.INTERNAL)),
        new Row(
            "expand.grown",
            "an expanded volume has another size than asked for",
            answering(
                CONTROLLER_EXPAND_VOLUME,
                ControllerExpandVolumeResponse.Builder.class,
                it -> it.setCapacityBytes(it.getCapacityBytes() - 1))),
        new Row(
            "expand.offline",
            "it expands what is published and says that it cannot",
            WrongSelf.onlyOffline()));
  }

  private static Fault capacity(long bytes) {
    return answering(
        CREATE_VOLUME,
        CreateVolumeResponse.Builder.class,
        it -> it.getVolumeBuilder().setCapacityBytes(bytes));
  }

  /// What upstream's drivers often do: the token says how many entries to leave out.
  private static Fault countingTokens() {
    return Fault.in(
        LIST_VOLUMES,
        call -> {
          var asked = (ListVolumesRequest) call.request();
          var token = asked.getStartingToken();
          int from = token.isEmpty() ? 0 : Integer.parseInt(token);
          var everything = ListVolumesRequest.getDefaultInstance();
          var all = ((ListVolumesResponse) call.pass(everything).getFirst()).getEntriesList();
          int size = asked.getMaxEntries() == 0 ? all.size() : asked.getMaxEntries();
          int to = Math.min(all.size(), from + size);
          var page = ListVolumesResponse.newBuilder();
          if (from < to) page.addAllEntries(all.subList(from, to));
          if (to < all.size()) page.setNextToken("" + to);
          return List.of(page.build());
        });
  }

  private WrongVolumes() {}
}
