package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.file.Folders;
import dev.berth.driver.disk.file.StateFile;
import dev.berth.driver.disk.ledger.LedgerContent;
import dev.berth.driver.disk.ledger.LedgerEnd;
import dev.berth.driver.disk.ledger.LedgerLine;
import dev.berth.driver.disk.lock.Holds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/// Every record of a pool, read without opening the pool: nothing is made, locked or mended, and
/// what is damaged is told beside what is not.
///
/// @param id of the pool; empty: it has none, or a damaged one
/// @param volumes by id, as are the next two
/// @param nodes by the name of their folder
/// @param lines of the ledger that are whole
/// @param vouched whether it is known that the ledger has lost nothing, or has ([#damages])
public record PoolRecords(
    Optional<String> id,
    Map<String, VolumeRecord> volumes,
    Map<String, SnapshotRecord> snapshots,
    Map<String, GroupRecord> groups,
    List<Attached> attachments,
    Map<String, OneNode> nodes,
    boolean vouched,
    int lines,
    List<Damage> damages) {
  /// A volume and the node that it is published on.
  public record Attached(String volumeId, String nodeId) {}

  /// What stands in the folder of a node.
  ///
  /// @param node empty: it has not begun yet, or its record is damaged
  public record OneNode(Optional<PoolNode> node, List<NodeVolume> volumes) {
    public OneNode {
      volumes = List.copyOf(volumes);
    }
  }

  /// A place that does not hold what was written there.
  ///
  /// @param where below the pool's folder
  public record Damage(String where, String why) {}

  public PoolRecords {
    volumes = Map.copyOf(volumes);
    snapshots = Map.copyOf(snapshots);
    groups = Map.copyOf(groups);
    attachments = List.copyOf(attachments);
    nodes = Map.copyOf(nodes);
    damages = List.copyOf(damages);
  }

  /// Whether records may be missing that were there.
  public boolean ledgerDamaged() {
    return damages.stream().anyMatch(it -> it.where().equals(Pool.LEDGER));
  }

  /// Whether a folder has ever been a pool.
  public static boolean isPool(Path folder) {
    return Files.isRegularFile(folder.resolve(Pool.ID))
        || Files.isRegularFile(folder.resolve(Holds.FILE))
        || Files.isRegularFile(folder.resolve(Pool.LEDGER));
  }

  public static PoolRecords read(Path folder) throws IOException {
    return new Reader(folder).read();
  }

  private static final class Reader {
    private final Path folder;
    private final Map<String, VolumeRecord> volumes = new HashMap<>();
    private final Map<String, SnapshotRecord> snapshots = new HashMap<>();
    private final Map<String, GroupRecord> groups = new HashMap<>();
    private final List<Attached> attachments = new ArrayList<>();
    private final Map<String, OneNode> nodes = new HashMap<>();
    private final List<Damage> damages = new ArrayList<>();
    private boolean vouched;
    private int lines;

    Reader(Path folder) {
      this.folder = folder;
    }

    PoolRecords read() throws IOException {
      var id =
          state(folder.resolve(Pool.ID), Pool.KIND, values -> values.getOrDefault("id", "").strip())
              .filter(text -> !text.isEmpty());
      entries().forEach(this::take);
      for (var name : Folders.names(folder.resolve(Pool.NODES)))
        nodes.put(name, node(folder.resolve(Pool.NODES).resolve(name)));
      return new PoolRecords(
          id, volumes, snapshots, groups, attachments, nodes, vouched, lines, damages);
    }

    private OneNode node(Path nodeFolder) {
      var node = state(nodeFolder.resolve(Nodes.NODE), PoolNode.KIND, PoolNode::of);
      var used = nodeFolder.resolve(Nodes.VOLUMES);
      var known =
          Folders.names(used).stream()
              .flatMap(it -> state(used.resolve(it), NodeVolume.KIND, NodeVolume::of).stream());
      return new OneNode(node, known.toList());
    }

    private <T> Optional<T> state(Path file, String kind, Function<Map<String, String>, T> form) {
      try {
        return StateFile.read(file, kind).map(form);
      } catch (StateFile.DamagedException | IllegalArgumentException wrong) {
        damages.add(new Damage(folder.relativize(file).toString(), words(wrong)));
        return Optional.empty();
      }
    }

    /// The ledger's entries. Unlike the driver it reads on behind a damaged line.
    private Map<String, Map<String, String>> entries() throws IOException {
      var ledger = folder.resolve(Pool.LEDGER);
      var ends = LedgerEnd.read(ledger); // first: the ledger grows meanwhile
      vouched = !ends.isEmpty();
      var text = "";
      try {
        text = Files.readString(ledger, StandardCharsets.ISO_8859_1);
      } catch (NoSuchFileException _) {
        if (ends.isEmpty()) return Map.of();
        damages.add(new Damage(Pool.LEDGER, "it is missing"));
        return Map.of();
      }
      var entries = new TreeMap<String, Map<String, String>>();
      var start = 0;
      var whole = 0; // bytes of lines that are what was written
      for (var end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        var line = LedgerLine.parse(decoded(text.substring(start, end)));
        if (line.isEmpty() && LedgerLine.isOfLastWrite(decoded(text.substring(end + 1)))) break;
        if (line.isEmpty())
          damages.add(
              new Damage(
                  Pool.LEDGER,
                  "the line of %d bytes at byte %d is not what was written"
                      .formatted(end - start, start)));
        if (line.isPresent()) {
          lines++;
          whole = end + 1;
        }
        line.ifPresent(it ->
            it.values()
                .ifPresentOrElse(
                    values -> entries.put(it.key(), values), () -> entries.remove(it.key())));
        start = end + 1;
      }
      var head = text.substring(0, Math.max(0, text.indexOf('\n')));
      LedgerEnd.loss(ends, LedgerContent.generationIn(head), whole)
          .ifPresent(it -> damages.add(new Damage(Pool.LEDGER, "it " + it)));
      return entries;
    }

    private static String decoded(String bytes) {
      return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private void take(String key, Map<String, String> values) {
      try {
        switch (key.substring(0, key.indexOf('/') + 1)) {
          case VolumeStore.KEY -> {
            var record = VolumeRecord.of(values);
            volumes.put(record.id(), record);
          }
          case SnapshotStore.KEY -> {
            var record = SnapshotRecord.of(values);
            snapshots.put(record.id(), record);
          }
          case SnapshotStore.GROUP -> {
            var record = GroupRecord.of(values);
            groups.put(record.id(), record);
          }
          case LedgerContent.GENERATION -> {}
          case Attachments.KEY ->
              attachments.add(new Attached(key.split("/", 3)[1], values.getOrDefault("node", "")));
          default -> damages.add(new Damage(Pool.LEDGER, "entry " + key + " is of no known kind"));
        }
      } catch (RuntimeException wrong) { // whatever a value does to whoever takes it apart
        damages.add(new Damage(Pool.LEDGER, "entry " + key + ": " + words(wrong)));
      }
    }

    private static String words(RuntimeException wrong) {
      return wrong instanceof StateFile.DamagedException damaged
          ? damaged.why()
          : String.valueOf(wrong.getMessage());
    }
  }
}
