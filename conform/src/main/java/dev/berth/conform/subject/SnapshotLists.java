package dev.berth.conform.subject;

import static dev.berth.conform.check.Check.check;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_SNAPSHOT;
import static dev.berth.conform.trial.Ability.CREATE_DELETE_VOLUME;
import static dev.berth.conform.trial.Ability.LIST_SNAPSHOTS;
import static dev.berth.conform.trial.Rpcs.DELETE_SNAPSHOT;
import static io.grpc.Status.Code.ABORTED;
import static io.grpc.Status.Code.INVALID_ARGUMENT;

import dev.berth.conform.check.Check;
import dev.berth.conform.trial.Ability;
import dev.berth.conform.trial.Requests;
import dev.berth.conform.trial.Rpcs;
import dev.berth.conform.trial.Trial;
import dev.berth.csi.v1.ListSnapshotsRequest;
import dev.berth.csi.v1.ListSnapshotsResponse;
import dev.berth.csi.v1.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Lists of snapshots: what is in them, their filters and their pages.
final class SnapshotLists {
  private static final Ability[] ALL = {
    CREATE_DELETE_VOLUME, CREATE_DELETE_SNAPSHOT, LIST_SNAPSHOTS
  };
  private static final String WITHIN =
      "ListSnapshots: SHALL return all snapshots within the given parameters; ";

  static List<Check> checks() {
    return List.of(
        check(
                "snapshot-list.there",
                "A snapshot is listed from its cut to its deletion, as it is",
                WITHIN + "one that is not cut yet is not listed")
            .covers("SAN-50", "SAN-55")
            .needs(ALL)
            .asks(
                "list what there is now, with the fields of CreateSnapshot", SnapshotLists::there),
        check(
                "snapshot-list.by-id",
                "By its id exactly one snapshot is found",
                WITHIN + "snapshot_id")
            .covers("SAN-51")
            .needs(ALL)
            .asks(
                "list only the snapshot of the id",
                trial -> {
                  var volume = trial.volume();
                  trial.snapshot(volume);
                  var wanted = trial.snapshot(volume).getSnapshotId();
                  same(
                      trial,
                      Set.of(wanted),
                      ListSnapshotsRequest.newBuilder().setSnapshotId(wanted));
                }),
        check(
                "snapshot-list.by-unknown-id",
                "An unknown id finds nothing, and is no error",
                WITHIN + "where nothing matches, the list is empty")
            .covers("SAN-52")
            .needs(LIST_SNAPSHOTS)
            .asks(
                "answer with an empty list",
                trial ->
                    same(
                        trial,
                        Set.of(),
                        ListSnapshotsRequest.newBuilder().setSnapshotId(Requests.UNKNOWN_ID))),
        check(
                "snapshot-list.by-source",
                "By their source all snapshots of a volume are found, and no others",
                WITHIN + "source_volume_id")
            .covers("SAN-53")
            .needs(ALL)
            .asks("list every snapshot of the volume, not only one", SnapshotLists::bySource),
        check(
                "snapshot-list.by-unknown-source",
                "An unknown source finds nothing, and is no error",
                WITHIN + "where nothing matches, the list is empty")
            .covers("SAN-54")
            .needs(LIST_SNAPSHOTS)
            .asks(
                "answer with an empty list",
                trial ->
                    same(
                        trial,
                        Set.of(),
                        ListSnapshotsRequest.newBuilder().setSourceVolumeId(Requests.UNKNOWN_ID))),
        check(
                "snapshot-list.by-both",
                "Both filters hold together",
                WITHIN + "a snapshot that is of another volume is not within them")
            .needs(ALL)
            .asks(
                "list a snapshot only if every filter lets it through",
                trial -> {
                  var snapshot = trial.snapshot(trial.volume());
                  var other = trial.volume();
                  same(
                      trial,
                      Set.of(),
                      ListSnapshotsRequest.newBuilder()
                          .setSnapshotId(snapshot.getSnapshotId())
                          .setSourceVolumeId(other.getVolumeId()));
                }),
        check(
                "snapshot-list.pages",
                "Pages hold as many entries as asked for, and together all of them once",
                "ListSnapshots: the plugin MUST NOT return more than max_entries, and MUST set"
                    + " next_token if there are more")
            .covers("SAN-56")
            .needs(ALL)
            .asks("give a token that says where the next page begins", SnapshotLists::pages),
        check(
                "snapshot-list.wrong-token",
                "A token that the driver did not give is ABORTED",
                "ListSnapshots Errors: ABORTED, if starting_token is not valid")
            .needs(LIST_SNAPSHOTS)
            .refuses(
                ABORTED,
                Rpcs.LIST_SNAPSHOTS,
                _ -> ListSnapshotsRequest.newBuilder().setStartingToken("invalid-token").build()),
        check(
                "snapshot-list.negative",
                "A negative number of entries is refused",
                "ListSnapshots: max_entries MUST NOT be negative; Error Scheme: an invalid field is"
                    + " INVALID_ARGUMENT")
            .needs(LIST_SNAPSHOTS)
            .refuses(
                INVALID_ARGUMENT,
                Rpcs.LIST_SNAPSHOTS,
                _ -> ListSnapshotsRequest.newBuilder().setMaxEntries(-1).build()));
  }

  /// All pages of a list.
  static List<Snapshot> all(Trial trial, ListSnapshotsRequest.Builder request) {
    var found = new ArrayList<Snapshot>();
    ListSnapshotsResponse page;
    var seen = new HashSet<String>();
    do {
      page = trial.ok(Rpcs.LIST_SNAPSHOTS, request.build());
      page.getEntriesList().forEach(entry -> found.add(entry.getSnapshot()));
      var token = page.getNextToken();
      trial.require(
          token.isEmpty() || seen.add(token), "a next_token that leads on", token + " again");
      request.setStartingToken(token);
    } while (!page.getNextToken().isEmpty());
    return found;
  }

  private static void same(
      Trial trial, Set<String> expected, ListSnapshotsRequest.Builder request) {
    var found = all(trial, request).stream().map(Snapshot::getSnapshotId).toList();
    trial.require(
        new HashSet<>(found).equals(expected) && found.size() == expected.size(),
        "the snapshots " + expected,
        found);
  }

  private static void there(Trial trial) {
    var made = trial.snapshot(trial.volume());
    var listed =
        all(trial, ListSnapshotsRequest.newBuilder()).stream()
            .filter(it -> it.getSnapshotId().equals(made.getSnapshotId()))
            .toList();
    trial.require(listed.equals(List.of(made)), "one entry, as it was made: " + made, listed);
    trial.ok(DELETE_SNAPSHOT, Snapshots.deletion(made.getSnapshotId()));
    var left =
        all(trial, ListSnapshotsRequest.newBuilder()).stream()
            .filter(it -> it.getSnapshotId().equals(made.getSnapshotId()))
            .toList();
    trial.require(left.isEmpty(), "no entry for a deleted snapshot", left);
  }

  private static void bySource(Trial trial) {
    var volume = trial.volume();
    var one = trial.snapshot(volume).getSnapshotId();
    var other = trial.snapshot(volume).getSnapshotId();
    var wanted = Set.of(one, other);
    trial.snapshot(trial.volume());
    same(trial, wanted, ListSnapshotsRequest.newBuilder().setSourceVolumeId(volume.getVolumeId()));
  }

  private static void pages(Trial trial) {
    var volume = trial.volume();
    var wanted = new HashSet<String>();
    for (int i = 0; i < 3; i++) wanted.add(trial.snapshot(volume).getSnapshotId());
    var request =
        ListSnapshotsRequest.newBuilder().setSourceVolumeId(volume.getVolumeId()).setMaxEntries(2);
    var first = trial.ok(Rpcs.LIST_SNAPSHOTS, request.build());
    trial.require(first.getEntriesCount() == 2, "2 entries", first.getEntriesCount());
    trial.require(!first.getNextToken().isEmpty(), "a next_token", "none");
    same(trial, wanted, request);
    var rest =
        trial.ok(
            Rpcs.LIST_SNAPSHOTS,
            request.setMaxEntries(0).setStartingToken(first.getNextToken()).build());
    trial.require(
        rest.getEntriesCount() == 1 && rest.getNextToken().isEmpty(),
        "the rest, 1 entry and no token",
        rest);
  }

  private SnapshotLists() {}
}
