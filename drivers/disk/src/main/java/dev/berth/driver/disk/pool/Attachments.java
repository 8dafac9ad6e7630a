package dev.berth.driver.disk.pool;

import dev.berth.driver.disk.pool.StateFile.Survives;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Usage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Which volumes are published on which nodes: a file for each pair.
public final class Attachments {
  private static final String KIND = "attachment 1";

  private final Path folder;
  private final FolderSync sync;
  private final Map<String, FolderSync> syncOfNode = new ConcurrentHashMap<>();

  Attachments(Path folder) {
    this.folder = folder;
    this.sync = new FolderSync(folder);
  }

  public List<Publication> of(String volumeId) {
    return Folders.names(folder).stream()
        .flatMap(node -> read(folder.resolve(node).resolve(Ids.fileName(volumeId))).stream())
        .toList();
  }

  public Optional<Publication> of(String volumeId, String nodeId) {
    return read(file(volumeId, nodeId));
  }

  /// How many volumes a node has.
  public int count(String nodeId) {
    return Folders.names(folder.resolve(Ids.fileName(nodeId))).size();
  }

  public void put(String volumeId, Publication publication) {
    var nodeFolder = folder.resolve(Ids.fileName(publication.nodeId()));
    if (!nodeFolder.toFile().isDirectory()) {
      Folders.create(nodeFolder);
      sync.sync();
    }
    StateFile.write(
        file(volumeId, publication.nodeId()), KIND, values(publication), Survives.POWER);
    syncOfNode(nodeFolder).sync();
  }

  public void remove(String volumeId, String nodeId) {
    if (Folders.remove(file(volumeId, nodeId)))
      syncOfNode(folder.resolve(Ids.fileName(nodeId))).sync();
  }

  private FolderSync syncOfNode(Path nodeFolder) {
    return syncOfNode.computeIfAbsent(
        nodeFolder.getFileName().toString(), _ -> new FolderSync(nodeFolder));
  }

  private Path file(String volumeId, String nodeId) {
    return folder.resolve(Ids.fileName(nodeId)).resolve(Ids.fileName(volumeId));
  }

  private static Map<String, String> values(Publication publication) {
    return Map.of(
        "node", publication.nodeId(),
        "usage", UsageText.of(publication.usage()),
        "readonly", Boolean.toString(publication.readOnly()));
  }

  private static Optional<Publication> read(Path file) {
    return StateFile.read(file, KIND)
        .map(values ->
            new Publication(
                values.getOrDefault("node", ""),
                usage(values),
                Boolean.parseBoolean(values.get("readonly")),
                Map.of()));
  }

  private static Usage usage(Map<String, String> values) {
    return UsageText.parse(values.getOrDefault("usage", ""));
  }
}
