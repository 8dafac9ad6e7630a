package dev.berth.node.pod.log;

import dev.berth.node.runtime.ContainerId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Where the logs of containers are: `<namespace>_<pod>_<uid>/<container>/<run>.log`.
///
/// @param root `/var/log/pods` on most machines
public record LogLayout(Path root) {
  public Path file(String namespace, String pod, ContainerId run) {
    return directory(namespace, pod, run).resolve(run.attempt() + ".log");
  }

  /// Removes the log of one run, all its files.
  public void remove(String namespace, String pod, ContainerId run) throws IOException {
    var latest = file(namespace, pod, run);
    if (!Files.exists(latest)) return;
    for (var file : new LogFiles(latest).all()) Files.deleteIfExists(file);
  }

  /// All runs of one container.
  public Path directory(String namespace, String pod, ContainerId run) {
    return root.resolve(namespace + "_" + pod + "_" + run.podUid()).resolve(run.name());
  }

  /// All directories of a pod whose name is no longer known.
  public List<Path> ofPod(String podUid) throws IOException {
    var found = new ArrayList<Path>();
    try (var pods = Files.newDirectoryStream(root, "*_" + podUid)) {
      pods.forEach(found::add);
    } catch (NoSuchFileException _) {
      return List.of();
    }
    return found;
  }
}
