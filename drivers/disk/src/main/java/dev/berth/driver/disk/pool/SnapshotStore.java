package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.file.FolderSync;
import dev.berth.driver.disk.file.Folders;
import dev.berth.driver.disk.file.Ids;
import dev.berth.driver.disk.image.Freeing;
import dev.berth.driver.disk.ledger.Ledger;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// The snapshots of a pool: an entry and a file each. A member of a group is there only while the
/// group is, so that a group comes and goes as a whole.
public final class SnapshotStore {
  static final String KEY = "snapshot/";
  static final String GROUP = "group/";
  private static final String IMAGE = ".img";

  private final Path folder;
  private final Ledger ledger;
  private final Freeing freeing;
  private final FolderSync sync;

  SnapshotStore(Path folder, Ledger ledger, Freeing freeing) {
    this.folder = folder;
    this.ledger = ledger;
    this.freeing = freeing;
    this.sync = new FolderSync(folder);
  }

  public String freshId(String name) {
    return Ids.fresh("snap", name);
  }

  public String freshGroupId(String name) {
    return Ids.fresh("group", name);
  }

  public Path image(String id) {
    return folder.resolve(Ids.fileName(id) + IMAGE);
  }

  public Optional<SnapshotRecord> named(String name) {
    return read(Ids.hash(name)).filter(record -> record.name().equals(name));
  }

  public Optional<SnapshotRecord> find(String id) {
    return Ids.hashIn(id).flatMap(this::read).filter(record -> record.id().equals(id));
  }

  /// In the order of the ids.
  ///
  /// @param after only those with a greater id
  public Stream<SnapshotRecord> after(String after) {
    var hash = Ids.hashIn(after).orElse("");
    return StreamSupport.stream(ledger.after(KEY, KEY + hash).spliterator(), false)
        .map(SnapshotRecord::of)
        .filter(this::exists);
  }

  public Optional<GroupRecord> groupNamed(String name) {
    return ledger
        .get(GROUP + Ids.hash(name))
        .map(GroupRecord::of)
        .filter(record -> record.name().equals(name));
  }

  public Optional<GroupRecord> group(String id) {
    return Ids.hashIn(id)
        .flatMap(hash -> ledger.get(GROUP + hash))
        .map(GroupRecord::of)
        .filter(record -> record.id().equals(id));
  }

  /// Brings a snapshot into being; its file is whole by now.
  public void put(SnapshotRecord record) {
    sync.sync();
    ledger.put(KEY + Ids.hashIn(record.id()).orElseThrow(), record.values());
  }

  /// Brings a group and its members into being.
  public void put(GroupRecord record) {
    ledger.put(GROUP + Ids.hashIn(record.id()).orElseThrow(), record.values());
  }

  public void remove(String id) {
    remove(KEY, id);
    freeing.remove(image(id));
  }

  /// Removes what a group is made of, also if it never came into being. First its own record: who
  /// is cut off after that leaves members of no group, which are nobody's.
  public void removeGroup(String id, List<String> memberIds) {
    remove(GROUP, id);
    memberIds.forEach(this::remove);
  }

  /// After a failed write only the ledger knows whether its line is there. There may be another
  /// entry for the same name.
  private void remove(String prefix, String id) {
    var key = prefix + Ids.hashIn(id).orElseThrow();
    if (ledger.known(key).filter(values -> id.equals(values.get("id"))).isPresent())
      ledger.remove(key);
  }

  /// Removes what no entry knows, and members whose group never came into being or is gone.
  Set<String> sweep(Optional<Path> keep) {
    StreamSupport.stream(ledger.after(KEY, "").spliterator(), false)
        .map(SnapshotRecord::of)
        .filter(record -> !exists(record))
        .toList()
        .forEach(record -> ledger.remove(KEY + Ids.hashIn(record.id()).orElseThrow()));
    var known = new HashSet<String>();
    after("").forEach(record -> known.add(record.id()));
    return Folders.sweep(folder, known, keep);
  }

  private Optional<SnapshotRecord> read(String hash) {
    return ledger.get(KEY + hash).map(SnapshotRecord::of).filter(this::exists);
  }

  private boolean exists(SnapshotRecord record) {
    return record.groupId().isEmpty() || group(record.groupId().get()).isPresent();
  }
}
