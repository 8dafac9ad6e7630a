package dev.berth.node.image.layer;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tree.Marks;
import dev.berth.linux.tree.NewTree;
import dev.berth.node.image.archive.BrokenImageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/// Layers seen as one, without being mounted: links lead where they will lead for a container, and
/// are followed here by reading them, never by the kernel.
///
/// Paths are as [NewTree] has them.
public final class LayerStack implements AutoCloseable {
  /// As many as the kernel follows.
  private static final int MOST_LINKS = 40;

  /// In bytes; with the folder before it a path must fit into what the kernel takes.
  private static final int LONGEST = 3000;

  private final List<NewTree> layers;

  /// A file of the topmost layer that has one there.
  ///
  /// @param layer that has it; 0: the topmost
  record Seen(int layer, FileStatus status) {}

  private LayerStack(List<NewTree> layers) {
    this.layers = layers;
  }

  /// @param folders the topmost first
  public static LayerStack of(List<Path> folders) {
    var layers = new ArrayList<NewTree>();
    try {
      for (var folder : folders) layers.add(NewTree.in(folder));
      return new LayerStack(layers);
    } catch (LinuxException refused) {
      layers.forEach(NewTree::close);
      throw refused;
    }
  }

  NewTree top() {
    return layers.getFirst();
  }

  /// Content of a regular file, wherever links lead to it; empty: there is none.
  public Optional<InputStream> read(String path) throws IOException {
    var real = resolve(path);
    var seen = look(real);
    return seen.isPresent() && seen.get().status().isRegularFile()
        ? Optional.of(layers.get(seen.get().layer()).read(real))
        : Optional.empty();
  }

  Marks marks(Seen seen, String path) {
    return layers.get(seen.layer()).marks(path);
  }

  InputStream content(Seen seen, String path) throws IOException {
    return layers.get(seen.layer()).read(path);
  }

  /// What is there, itself and no link's target.
  ///
  /// @param path whose folders are no links
  Optional<Seen> look(String path) {
    for (int layer = 0; layer < layers.size(); layer++) {
      var found = layers.get(layer).find(path);
      if (found.isPresent())
        return found.filter(it -> !NewTree.isWhiteOut(it)).isPresent()
            ? Optional.of(new Seen(layer, found.get()))
            : Optional.empty();
      if (covers(layers.get(layer), path)) return Optional.empty();
    }
    return Optional.empty();
  }

  /// Whether the layer keeps what those below it have at a path from being seen.
  private static boolean covers(NewTree layer, String path) {
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      var above = path.substring(0, slash);
      var found = layer.find(above);
      if (found.isEmpty()) return false;
      if (!found.get().isDirectory() || layer.isOpaque(above)) return true;
    }
    return false;
  }

  /// Where a path really is, its last part too: no part of it is a link, nor leads out. What is not
  /// there is as it was written.
  ///
  /// @throws BrokenImageException links lead in a circle, or it is too long
  String resolve(String path) throws BrokenImageException {
    var done = new ArrayDeque<String>();
    Deque<String> left = new ArrayDeque<>(parts(path));
    int links = 0;
    while (!left.isEmpty()) {
      var part = left.pop();
      if (part.equals("..")) { // of a link's target: the root's parent is the root
        done.pollLast();
        continue;
      }
      done.add(part);
      var here = String.join("/", done);
      if (here.length() > LONGEST)
        throw new BrokenImageException(
            "the image has a path of more than %d bytes: %s…"
                .formatted(LONGEST, NewTree.shown(here.substring(0, 60))));
      var seen = look(here);
      if (seen.isEmpty() || !seen.get().status().isLink()) continue;
      if (++links > MOST_LINKS)
        throw new BrokenImageException(
            "links of the image lead in a circle: " + NewTree.shown(path));
      var target = layers.get(seen.get().layer()).target(here);
      done.pollLast();
      if (target.startsWith("/")) done.clear();
      parts(target).reversed().forEach(left::push);
    }
    return String.join("/", done);
  }

  private static List<String> parts(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(part -> !part.isEmpty() && !part.equals("."))
        .toList();
  }

  @Override
  public void close() {
    layers.forEach(NewTree::close);
  }
}
