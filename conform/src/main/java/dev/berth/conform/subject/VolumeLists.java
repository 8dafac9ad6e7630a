package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.GET_VOLUME;
import static dev.berth.conform.trial.Ability.LIST_VOLUMES;
import static dev.berth.conform.trial.Ability.LIST_VOLUMES_PUBLISHED_NODES;
import static dev.berth.conform.trial.Ability.VOLUME_CONDITION;
import static dev.berth.conform.trial.Rpcs.CONTROLLER_GET_VOLUME;
import static dev.berth.conform.trial.Rpcs.DELETE_VOLUME;
import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ControllerGetVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ListVolumesRequest;
import dev.berth.csi.v1.ListVolumesResponse;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCondition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Lists of volumes, and looking at one.
final class VolumeLists {
  static List<Check> checks() {
    return List.of(
        check(
                "volume-list.ids",
                "Every volume in the list has an id, and no id stands there twice",
                "ListVolumes: SHALL return all volumes that the plugin knows about; volume_id is"
                    + " REQUIRED")
            .covers("SAN-06")
            .needs(LIST_VOLUMES)
            .asks("list each volume once, with its id", VolumeLists::ids),
        check(
                "volume-list.there",
                "A volume is listed from its making to its deletion",
                "ListVolumes: SHALL return all volumes that the plugin knows about")
            .covers("SAN-08")
            .needs(CREATE_DELETE_VOLUME, LIST_VOLUMES)
            .asks("list what there is now", VolumeLists::there),
        check(
                "volume-list.same",
                "A volume is listed as it was made",
                "Volume: a volume SHALL always report the same volume_context")
            .needs(CREATE_DELETE_VOLUME, LIST_VOLUMES)
            .asks(
                "list volumes with context, capacity and topology as CreateVolume told them",
                trial -> {
                  var made = trial.volume();
                  same(trial, made, entry(trial, made.getVolumeId()).getVolume());
                }),
        check(
                "volume-list.wrong-token",
                "A token that the driver did not give is ABORTED",
                "ListVolumes Errors: ABORTED, if starting_token is not valid")
            .covers("SAN-07")
            .needs(LIST_VOLUMES)
            .refuses(
                ABORTED,
                Rpcs.LIST_VOLUMES,
                _ -> ListVolumesRequest.newBuilder().setStartingToken("invalid-token").build()),
        check(
                "volume-list.number-token",
                "A number is no token either",
                "ListVolumes Errors: ABORTED, if starting_token is not valid; an offset that was"
                    + " never given is not")
            .needs(LIST_VOLUMES)
            .refuses(
                ABORTED,
                Rpcs.LIST_VOLUMES,
                _ -> ListVolumesRequest.newBuilder().setStartingToken("987654").build()),
        check(
                "volume-list.negative",
                "A negative number of entries is refused",
                "ListVolumes: max_entries MUST NOT be negative; Error Scheme: an invalid field is"
                    + " INVALID_ARGUMENT")
            .needs(LIST_VOLUMES)
            .refuses(
                INVALID_ARGUMENT,
                Rpcs.LIST_VOLUMES,
                _ -> ListVolumesRequest.newBuilder().setMaxEntries(-1).build()),
        check(
                "volume-list.pages",
                "Pages hold no more entries than asked for, and together all of them once",
                "ListVolumes: the plugin MUST NOT return more than max_entries, and MUST set"
                    + " next_token if there are more")
            .needs(CREATE_DELETE_VOLUME, LIST_VOLUMES)
            .asks("give a token that says where the next page begins", VolumeLists::pages),
        check(
                "volume-list.pages-change",
                "What is deleted between two pages makes no other volume missing or double",
                "ListVolumes: volumes may come and go between pages; those that stay are known to"
                    + " the plugin all the time")
            .covers("SAN-09")
            .needs(CREATE_DELETE_VOLUME, LIST_VOLUMES)
            .asks(
                "let the token name the last entry, not a number of entries",
                VolumeLists::pagesChange),
        check(
                "volume-list.published",
                "The list says on which nodes a volume is published, and no longer after",
                "ListVolumes: status with published_node_ids MUST be specified with"
                    + " LIST_VOLUMES_PUBLISHED_NODES")
            .needs(
                CREATE_DELETE_VOLUME,
                LIST_VOLUMES,
                LIST_VOLUMES_PUBLISHED_NODES,
                Ability.NODE_SERVICE)
            .asks(
                "keep the nodes of a volume, and list none, not an empty one, after unpublishing",
                VolumeLists::published),
        check(
                "volume-list.condition",
                "The list says how every volume is",
                "ListVolumes: volume_condition MUST be specified with VOLUME_CONDITION; abnormal"
                    + " and message are REQUIRED")
            .needs(CREATE_DELETE_VOLUME, LIST_VOLUMES, VOLUME_CONDITION)
            .asks(
                "set the condition with a message, also of volumes that are well",
                trial -> {
                  var status = entry(trial, trial.volume().getVolumeId()).getStatus();
                  told(trial, status.hasVolumeCondition(), status.getVolumeCondition());
                }),
        check(
                "volume-get.no-id",
                "Getting a volume without an id is refused",
                "Error Scheme: a missing required field is INVALID_ARGUMENT; ControllerGetVolume:"
                    + " volume_id is REQUIRED")
            .needs(GET_VOLUME)
            .refuses(
                INVALID_ARGUMENT,
                CONTROLLER_GET_VOLUME,
                _ -> ControllerGetVolumeRequest.getDefaultInstance()),
        check(
                "volume-get.unknown",
                "Getting a volume that does not exist is NOT_FOUND",
                "ControllerGetVolume Errors: NOT_FOUND, if the volume does not exist")
            .needs(GET_VOLUME)
            .refuses(NOT_FOUND, CONTROLLER_GET_VOLUME, _ -> asked(Requests.UNKNOWN_ID)),
        check(
                "volume-get.same",
                "Getting a volume gives it as it was made",
                "ControllerGetVolume: volume is REQUIRED; a volume SHALL always report the same"
                    + " volume_context")
            .needs(CREATE_DELETE_VOLUME, GET_VOLUME)
            .asks(
                "answer with context, capacity and topology as CreateVolume told them",
                trial -> {
                  var made = trial.volume();
                  var got = trial.ok(CONTROLLER_GET_VOLUME, asked(made.getVolumeId()));
                  same(trial, made, got.getVolume());
                  trial.require(got.hasStatus(), "status, which is REQUIRED", got);
                }),
        check(
                "volume-get.condition",
                "Getting a volume says how it is",
                "ControllerGetVolume: MUST provide a non-empty volume_condition with"
                    + " VOLUME_CONDITION; abnormal and message are REQUIRED")
            .needs(CREATE_DELETE_VOLUME, GET_VOLUME, VOLUME_CONDITION)
            .asks(
                "set the condition with a message, also of volumes that are well",
                trial -> {
                  var id = trial.volume().getVolumeId();
                  var status = trial.ok(CONTROLLER_GET_VOLUME, asked(id)).getStatus();
                  told(trial, status.hasVolumeCondition(), status.getVolumeCondition());
                }));
  }

  /// All pages of the list, `size` entries in each; 0: as the driver likes.
  static List<ListVolumesResponse.Entry> all(Trial trial, int size) {
    return rest(trial, size, "");
  }

  private static List<ListVolumesResponse.Entry> rest(Trial trial, int size, String from) {
    var found = new ArrayList<ListVolumesResponse.Entry>();
    var seen = new HashSet<String>();
    var token = from;
    do {
      var page =
          trial.ok(
              Rpcs.LIST_VOLUMES,
              ListVolumesRequest.newBuilder().setMaxEntries(size).setStartingToken(token).build());
      trial.require(
          size == 0 || page.getEntriesCount() <= size,
          "at most %d entries".formatted(size),
          page.getEntriesCount());
      found.addAll(page.getEntriesList());
      token = page.getNextToken();
      trial.require(
          token.isEmpty() || seen.add(token), "a next_token that leads on", token + " again");
    } while (!token.isEmpty());
    return found;
  }

  static Set<String> ids(List<ListVolumesResponse.Entry> entries) {
    return entries.stream().map(it -> it.getVolume().getVolumeId()).collect(Collectors.toSet());
  }

  private static ListVolumesResponse.Entry entry(Trial trial, String id) {
    var entries =
        all(trial, 0).stream().filter(it -> it.getVolume().getVolumeId().equals(id)).toList();
    trial.require(entries.size() == 1, "one entry for volume " + id, entries);
    return entries.getFirst();
  }

  private static ControllerGetVolumeRequest asked(String id) {
    return ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build();
  }

  private static void ids(Trial trial) {
    trial.volume();
    var entries = all(trial, 0);
    var ids = ids(entries);
    trial.require(!ids.contains(""), "a volume_id in every entry", entries);
    trial.require(ids.size() == entries.size(), "each volume once", entries);
  }

  private static void there(Trial trial) {
    var id = trial.volume().getVolumeId();
    entry(trial, id);
    trial.ok(DELETE_VOLUME, Volumes.deletion(id));
    var left = ids(all(trial, 0));
    trial.require(!left.contains(id), "no entry for the deleted volume " + id, left);
  }

  private static void same(Trial trial, Volume made, Volume shown) {
    trial.require(
        shown.getVolumeId().equals(made.getVolumeId())
            && shown.getVolumeContextMap().equals(made.getVolumeContextMap())
            && shown.getCapacityBytes() == made.getCapacityBytes()
            && new HashSet<>(shown.getAccessibleTopologyList())
                .equals(new HashSet<>(made.getAccessibleTopologyList())),
        "the volume as it was made: " + made,
        shown);
  }

  private static Set<String> three(Trial trial) {
    var ids = new HashSet<String>();
    for (int i = 0; i < 3; i++) ids.add(trial.volume().getVolumeId());
    return ids;
  }

  private static void pages(Trial trial) {
    var made = three(trial);
    var entries = all(trial, 2);
    var ids = ids(entries);
    trial.require(ids.containsAll(made), "all of " + made, ids);
    trial.require(ids.size() == entries.size(), "each volume once", entries);
  }

  private static void pagesChange(Trial trial) {
    var made = three(trial);
    made.add(trial.volume().getVolumeId());
    var first =
        trial.ok(Rpcs.LIST_VOLUMES, ListVolumesRequest.newBuilder().setMaxEntries(1).build());
    trial.require(!first.getNextToken().isEmpty(), "a next_token", "none");
    var shown = ids(first.getEntriesList());
    // What was shown goes; if that was somebody else's volume, nothing does.
    for (var id : shown) if (made.remove(id)) trial.ok(DELETE_VOLUME, Volumes.deletion(id));
    var rest = rest(trial, 1, first.getNextToken());
    var ids = ids(rest);
    trial.require(ids.containsAll(made), "the volumes that stay: " + made, ids);
    trial.require(
        ids.size() == rest.size() && ids.stream().noneMatch(shown::contains),
        "no volume twice",
        rest);
  }

  private static void published(Trial trial) {
    var placement = trial.attached();
    var entry = entry(trial, placement.id());
    trial.require(
        entry.getStatus().getPublishedNodeIdsList().equals(List.of(trial.requests().nodeId())),
        "published_node_ids " + trial.requests().nodeId(),
        entry);
    trial.ok(
        Rpcs.CONTROLLER_UNPUBLISH_VOLUME,
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId(placement.id())
            .setNodeId(trial.requests().nodeId())
            .build());
    var after = entry(trial, placement.id());
    trial.require(after.hasStatus(), "status, also of a volume that is not published", after);
    trial.require(
        after.getStatus().getPublishedNodeIdsCount() == 0, "no published_node_ids", after);
  }

  private static void told(Trial trial, boolean present, VolumeCondition condition) {
    trial.require(present, "volume_condition", "none");
    trial.require(!condition.getMessage().isEmpty(), "a message", "an empty one");
  }

  private VolumeLists() {}
}
