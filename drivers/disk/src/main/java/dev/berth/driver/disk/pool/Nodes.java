package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.file.FolderSync;
import dev.berth.driver.disk.file.Folders;
import dev.berth.driver.disk.file.Ids;
import dev.berth.driver.disk.file.Remembered;
import dev.berth.driver.disk.file.StateFile;
import dev.berth.driver.disk.file.StateFile.Survives;
import dev.berth.driver.disk.lock.Holds;
import dev.berth.driver.disk.lock.PoolLocks.Hold;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The nodes that reach a pool, and what each does with its volumes.
///
/// What a node does with a volume ends when the machine does, so these records need not survive a
/// loss of power.
public final class Nodes {
  static final String NODE = "node";
  static final String VOLUMES = "volumes";
  private static final String EPHEMERAL = "ephemeral";
  private static final String IMAGE = ".img";

  private final Path folder;

  private final Holds holds;
  private final Remembered<List<String>> names = new Remembered<>(Folders::names);
  private final Remembered<Optional<PoolNode>> nodes = new Remembered<>(Nodes::read);

  Nodes(Path folder, Holds holds) {
    this.folder = folder;
    this.holds = holds;
  }

  public void register(PoolNode node) {
    Folders.create(folder(node.id()));
    Folders.create(folder(node.id()).resolve(VOLUMES));
    Folders.create(folder(node.id()).resolve(EPHEMERAL));
    var note = folder(node.id()).resolve(NODE);
    if (!holds(note, node)) StateFile.write(note, PoolNode.KIND, node.values(), Survives.POWER);
    new FolderSync(folder(node.id())).sync();
    new FolderSync(folder).sync();
    sweep(folder(node.id()).resolve(VOLUMES));
  }

  /// A node that comes back is not written anew: it has to unmount on a full disk too.
  private static boolean holds(Path note, PoolNode node) {
    try {
      return read(note).equals(Optional.of(node));
    } catch (StateFile.DamagedException _) {
      return false;
    }
  }

  /// Removes what a write that was cut off, or a loss of power, left of records. Those that the
  /// power damaged told of mounts that are gone too.
  private void sweep(Path records) {
    for (var name : Folders.everyName(records))
      holds
          .tryVolume(name.replaceFirst("[.]tmp$", ""))
          .ifPresent(hold -> {
            try (hold) {
              var file = records.resolve(name);
              if (name.endsWith(".tmp") || readVolume(file).isEmpty()) Folders.remove(file);
            }
          });
  }

  /// The right to serve a node, among all processes; empty: another one does.
  public Optional<Hold> claim(String nodeId) {
    return holds.tryNode(nodeId);
  }

  public Optional<PoolNode> find(String nodeId) {
    return node(folder(nodeId));
  }

  public List<PoolNode> all() {
    return names.of(folder).orElse(List.of()).stream()
        .flatMap(name -> node(folder.resolve(name)).stream())
        .toList();
  }

  /// The backing file of a volume that lives and dies with one pod of the node.
  public Path ephemeral(String nodeId, String volumeId) {
    return folder(nodeId).resolve(EPHEMERAL).resolve(Ids.fileName(volumeId) + IMAGE);
  }

  /// That of whichever node has it.
  public Optional<Path> ephemeral(String volumeId) {
    return all().stream()
        .map(node -> ephemeral(node.id(), volumeId))
        .filter(Files::exists)
        .findFirst();
  }

  /// Backing files of such volumes that no record tells of.
  public List<Path> ephemeralOfNobody(String nodeId) {
    var folder = folder(nodeId).resolve(EPHEMERAL);
    var known = Folders.names(folder(nodeId).resolve(VOLUMES));
    return Folders.names(folder).stream()
        .filter(name -> known.stream().noneMatch(it -> name.startsWith(it + IMAGE)))
        .map(folder::resolve)
        .toList();
  }

  /// What the node does with the volume.
  public NodeVolume volume(String nodeId, String volumeId) {
    return readVolume(file(nodeId, volumeId)).orElse(NodeVolume.none(volumeId));
  }

  /// Every volume that the node does something with.
  public List<NodeVolume> volumes(String nodeId) {
    var volumes = folder(nodeId).resolve(VOLUMES);
    return Folders.names(volumes).stream()
        .flatMap(name -> readVolume(volumes.resolve(name)).stream())
        .toList();
  }

  public void put(String nodeId, NodeVolume volume) {
    var file = file(nodeId, volume.volumeId());
    if (volume.empty()) Folders.remove(file);
    else StateFile.write(file, NodeVolume.KIND, volume.values(), Survives.PROCESS);
  }

  private static Optional<NodeVolume> readVolume(Path file) {
    Optional<Map<String, String>> values;
    try {
      values = StateFile.read(file, NodeVolume.KIND);
    } catch (StateFile.DamagedException _) {
      return Optional.empty();
    }
    return values.map(NodeVolume::of);
  }

  private Optional<PoolNode> node(Path nodeFolder) {
    return nodes.of(nodeFolder.resolve(NODE)).flatMap(it -> it);
  }

  private static Optional<PoolNode> read(Path file) {
    return StateFile.read(file, PoolNode.KIND).map(PoolNode::of);
  }

  private Path folder(String nodeId) {
    return folder.resolve(Ids.fileName(nodeId));
  }

  private Path file(String nodeId, String volumeId) {
    return folder(nodeId).resolve(VOLUMES).resolve(Ids.fileName(volumeId));
  }
}
